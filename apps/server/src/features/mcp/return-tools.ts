/** Lets an assistant read a client's VAT returns. To file one, the user gets a link (draft-tools.ts). */
import { clientReturnsApi } from '@portal/contract/client-returns.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { idScalar, instantScalar } from '@portal/contract/scalars.ts';
import { nineBoxes, obligationOutput, type VatReturnOutput } from '@portal/contract/vat-returns.ts';
import { z } from 'zod/mini';
import { ToolError } from '../../http/call-portal.ts';
import { defineTool, READ_ANNOTATIONS, type Tool, type ToolContext } from './tool.ts';

/** Each return requires a separate call. */
const MAX_PAGE = 8;

const figures = z.object({
  boxes: nineBoxes,
  source: z.enum(['books', 'filed_here', 'hmrc']).check(
    z.meta({
      description:
        'books: not filed, calculated from the current books and the adjustments. filed_here: as sent to HMRC; `state` says whether HMRC has received it. hmrc: filed elsewhere, as held by HMRC',
    }),
  ),
  as_of: z.nullable(instantScalar).check(z.meta({ description: 'When the books were read, or HMRC received the return; null if unknown' })),
});
const entry = z.extend(obligationOutput, {
  figures: z.nullable(figures).check(z.meta({ description: 'Null: the boxes are unknown, never zero' })),
  link: z.string().check(z.meta({ description: 'The page in the portal, for the user' })),
});

export const RETURN_TOOLS: readonly Tool[] = [
  defineTool({
    name: 'list_vat_returns',
    title: 'List a client’s VAT returns',
    description:
      'One client’s VAT returns that HMRC expects or has received, newest first, up to 24: period, due date, state, and the nine boxes if known, with source and age. Boxes 1 to 5 are in pence, 6 to 9 in whole pounds. If there’s no source, HMRC’s periods for this client have never been read.',
    scopes: ['clients.read'],
    annotations: READ_ANNOTATIONS,
    input: z.object({
      client_id: idScalar.check(z.meta({ description: 'From search_clients' })),
      cursor: z.optional(idScalar.check(z.meta({ description: 'next_cursor from the previous page' }))),
      limit: z._default(z.int().check(z.minimum(1), z.maximum(MAX_PAGE)), MAX_PAGE),
    }),
    data: z.extend(clientReturnsApi.list.output, { returns: z.array(entry), next_cursor: z.nullable(z.string()) }),
    run: async (context, { client_id, cursor, limit }) => {
      const { returns, source, as_of } = await context.call(clientReturnsApi.list, { client_id });
      const start = cursor === undefined ? 0 : returns.findIndex(({ obligation_id }) => obligation_id === cursor) + 1;
      if (cursor !== undefined && start === 0)
        throw new ToolError('input.invalid', 'cursor: This page is no longer available. Start without it.');
      const page = returns.slice(start, start + limit);
      return {
        returns: await Promise.all(page.map(({ obligation_id }) => readReturn(context, client_id, obligation_id))),
        source,
        as_of,
        next_cursor: start + limit < returns.length ? (page.at(-1)?.obligation_id ?? null) : null,
      };
    },
  }),
];

async function readReturn({ call, link }: ToolContext, client_id: string, obligation_id: string): Promise<z.output<typeof entry>> {
  const returnResult = await call(clientReturnsApi.get, { client_id, obligation_id });
  return {
    ...returnResult.obligation,
    figures: toFigures(returnResult),
    link: link(PAGES.clientVatReturn.path, { client_id, obligation_id }),
  };
}

function toFigures({ obligation: { state }, boxes, source, receipt }: VatReturnOutput): z.output<typeof figures> | null {
  if (!boxes) return null;
  // Without HMRC's boxes for a return filed elsewhere, `boxes` come from the books, as `source` states.
  if (state === 'filed_elsewhere') return { boxes, source: source ? 'books' : 'hmrc', as_of: source?.applied_at ?? null };
  if (FILED_STATES.includes(state)) return { boxes, source: 'filed_here', as_of: receipt?.received_at ?? null };
  return { boxes, source: 'books', as_of: source?.applied_at ?? null };
}

const FILED_STATES: readonly string[] = ['filing', 'outcome_unknown', 'filed_awaiting_hmrc', 'filed'];
