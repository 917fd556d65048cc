import { getErrorText } from '../../lib/error-text.ts';
import { Notice } from '../../ui/notice.tsx';

/** Explains why an action failed, next to its button. */
export function ActionError({ error, text }: { error: unknown; text?: string }) {
  if (error === null || error === undefined) return null;
  return (
    <Notice tone="error" title="We couldn’t do that" role="alert">
      {text ?? getErrorText(error)}
    </Notice>
  );
}
