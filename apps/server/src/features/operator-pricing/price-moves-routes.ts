import type { priceMovesApi } from '@portal/contract/price-moves.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { cancelMove, listMoves, previewMove, requestMove } from './price-moves.ts';

export function priceMovesHandlers(deps: AppDeps): Handlers<typeof priceMovesApi> {
  return {
    preview: ({ input }) => previewMove(deps, input.version),
    list: () => listMoves(deps),
    request: (call) => requestMove(deps, call),
    stop: (call) => cancelMove(deps, call),
  };
}
