import { emptyBook, type Book } from '../core/control';
import { counted } from '../core/count-rows';
import type { Rows } from '../ports';

/** How many rows are read at once. */
const pageSize = 500;

/**
 * The book made anew from the rows, for a store that has none: a new one, or one whose book was lost. Without this the next
 * entry would get the place of an old one, and take its row.
 */
export async function recount(rows: Rows): Promise<Book> {
  let book = emptyBook;
  for (let after = -Infinity; ;) {
    const some = await rows.scan(after, pageSize);
    for (const entry of some) {
      book = {
        ...counted(book, undefined, entry),
        nextSeq: Math.max(book.nextSeq, entry.seq + 1),
        token: Math.max(book.token, entry.lease?.token ?? 0),
        revision: book.revision + 1,
      };
    }
    if (some.length < pageSize) return book;
    after = some.at(-1)!.seq;
  }
}
