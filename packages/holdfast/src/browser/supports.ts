/** `IDBIndex.getAllRecords`: reads a page from the end in one request. Missing in WebKit (2.50). */
export interface WithGetAllRecords {
  getAllRecords(options: {
    query: IDBKeyRange;
    count?: number;
    direction: 'prev';
  }): IDBRequest<readonly { readonly value: unknown }[]>;
}

export function hasGetAllRecords(source: object): source is WithGetAllRecords {
  return 'getAllRecords' in source;
}
