/** Explains why buttons that need HMRC are disabled. Admins get a link to connect HMRC, everyone else a hint to ask an admin. */
import { getSettingsPath } from '@portal/contract/practice.ts';
import { useLocation } from 'react-router';
import type { HmrcConnectionProblem } from '../../lib/use-hmrc-missing.ts';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';

type ConnectHmrcFirstProps = {
  /** The disabled buttons refer to this with aria-describedby. */
  id: string;
  companyId: string;
  missing: HmrcConnectionProblem;
  canConnect: boolean;
};

export function ConnectHmrcFirst({ id, companyId, missing, canConnect }: ConnectHmrcFirstProps) {
  const path = getSettingsPath('connections');
  const isOnConnectionsPage = useLocation().pathname === path;
  const hasEnded = missing === 'lapsed';
  return (
    <Text id={id} size="small" tone="warning">
      {hasEnded ? 'Your HMRC connection has ended' : 'HMRC isn’t connected'}, so we can’t refresh figures. Your existing figures are still
      available.{' '}
      {!canConnect ? (
        `Ask an admin of your practice to ${hasEnded ? 'reconnect' : 'connect'} HMRC.`
      ) : isOnConnectionsPage ? (
        `${hasEnded ? 'Reconnect' : 'Connect'} it above.`
      ) : (
        <TextLink to={`${path}?${new URLSearchParams({ company_id: companyId })}`}>{hasEnded ? 'Reconnect' : 'Connect'} HMRC</TextLink>
      )}
    </Text>
  );
}
