import { getErrorText } from '../../lib/error-text.ts';
import { Notice } from '../../ui/notice.tsx';

export function WebhookError({ error }: { error: Error | null }) {
  if (!error) return null;
  return (
    <Notice tone="error" title="Nothing has changed" role="alert">
      {getErrorText(error)}
    </Notice>
  );
}
