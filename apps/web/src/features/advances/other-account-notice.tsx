import { Notice } from '../../ui/notice.tsx';

/** Why a Direct Debit that the trader has just set up has ended. `ending`: the last digits of its account, or null. */
export function OtherAccountNotice({ ending }: { ending: string | null }) {
  if (ending === null) return null;
  return (
    <Notice tone="warning" title="Set up the Direct Debit again">
      The last one was on an account that ends in {ending}, so we ended it. Use the account that we pay you into, so that we never collect
      from someone else. To use another account, change your bank details first.
    </Notice>
  );
}
