import type { Fields } from './keep-answer';

/** The fields a Node answer has so far, read where they are. */
export function nodeFields(headers: Readonly<Record<string, string | number | string[] | undefined>>): Fields {
  return {
    forEach(visit) {
      for (const name in headers) {
        const value = headers[name];
        if (name === 'set-cookie' && Array.isArray(value)) for (const line of value) visit(line, name);
        else if (value !== undefined) visit(Array.isArray(value) ? value.join(', ') : String(value), name);
      }
    },
  };
}
