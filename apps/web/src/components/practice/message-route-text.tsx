import type { MessageRouteState } from '@portal/contract/messages.ts';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';

/** Shows which address messages are sent from and where replies go. */
export function MessageRouteText({ route }: { route: MessageRouteState }) {
  if (route.is_waiting) {
    return (
      <Notice tone="warning" title="Messages are waiting for your mailbox">
        The connection to {route.address} has ended. Messages will be sent once someone reconnects the mailbox in Settings, Connections, or
        disconnects it there.
      </Notice>
    );
  }
  return (
    <Text size="small" tone="quiet">
      {route.route === 'smtp'
        ? `From our address ${route.address}, with your practice’s name. Replies go to ${route.reply_to}.`
        : `From ${route.address}. Replies and bounce reports arrive there. We can’t see them, because we only have permission to send.`}
    </Text>
  );
}
