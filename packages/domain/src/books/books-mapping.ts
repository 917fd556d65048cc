/** placeholder types, filled in below */
export type BooksTable = { readonly sheet: number };
export type RememberedBooksColumns = Readonly<Record<string, string | null>>;
