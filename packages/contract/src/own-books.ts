import { z } from 'zod/mini';
import { booksProviderScalar } from './books-connection.ts';

/** A client's books that linking an organisation would replace: its own connection, or a file with figures that haven't been filed yet. */
export const ownBooks = z.object({
  kind: z.enum(['connection', 'file']),
  /** Of a connection. */
  program: z.nullable(booksProviderScalar),
  /** Of a file. */
  file_name: z.nullable(z.string()),
});
export type OwnBooks = z.output<typeof ownBooks>;
