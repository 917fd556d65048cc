/** The practice's HMRC connection: its status, what it lets us see, and the link to HMRC's authorisation page. */
import { practiceApi, type PracticeProgress } from '@portal/contract/practice.ts';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSearchParams } from '../../lib/search-params.ts';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { DateText, InstantText } from '../formats/date-text.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { Notice, type NoticeTone } from '../../ui/notice.tsx';
import { HmrcPermissions } from '../companies/hmrc-permissions.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';
import { toLondonDate } from '@portal/domain/clock.ts';

const ALLOWED = [
  'See the VAT of clients who’ve authorised you: what’s due, filed, owed and paid',
  'See their Self Assessment balances, payments and deadlines',
  'Send and cancel authorisation requests, only when someone in your practice asks us to',
  'File a return, only when someone in your practice asks us to',
];
const NOT_ALLOWED = [
  'See your agent services user ID or password',
  'See clients who haven’t authorised your practice',
  'See PAYE or corporation tax: HMRC doesn’t share these with agents’ software, so you import statements',
];

type HmrcConnection = PracticeProgress['hmrc'];

type AgentConnectionProps = {
  companyId: string;
  arn: string | null;
  hmrc: HmrcConnection;
  returnTo: 'steps' | 'settings';
  /** Path of the page where the agent reference number is entered. */
  arnPath: string;
  /** Team members can see the status but can't change the connection. */
  readOnly?: boolean;
  otherActions?: ReactNode;
};

export function AgentConnection({ companyId, arn, hmrc, returnTo, arnPath, readOnly = false, otherActions }: AgentConnectionProps) {
  const outcome = useSearchParams()[0].get('outcome');
  const connect = useMutation({
    mutationFn: () => apiRequest(practiceApi.connectHmrc, { company_id: companyId, return_to: returnTo }),
    onSuccess: ({ authorize_url }) => location.assign(authorize_url),
  });
  const isLeaving = connect.isPending || connect.isSuccess;
  const isConnected = hmrc.status === 'connected' || hmrc.status === 'ending';
  return (
    <>
      {connect.error !== null && <ErrorSummary errors={[{ field: undefined, message: getErrorText(connect.error) }]} />}
      <Stack gap={24}>
        <ConnectionStatus hmrc={hmrc} arn={arn} outcome={outcome} />
        {!isConnected && <HmrcPermissions allowed={ALLOWED} notAllowed={NOT_ALLOWED} />}
        {!isConnected && arn !== null && !readOnly && (
          <Text measure>
            Sign in with the user ID for agent services account <strong>{arn}</strong>. You only enter your password on HMRC’s website: we
            never ask for it.
          </Text>
        )}
        <ButtonRow>
          {readOnly ? (
            <Text tone="quiet">Only admins can change this connection.</Text>
          ) : arn === null ? (
            <Button to={arnPath}>Add agent reference number</Button>
          ) : hmrc.status === 'connected' && returnTo === 'steps' ? null : (
            <Button onClick={() => connect.mutate()} disabled={isLeaving} variant={isConnected ? 'outlined' : 'filled'}>
              {isLeaving ? 'Going to HMRC…' : isConnected || hmrc.status === 'lapsed' ? 'Connect again' : 'Connect HMRC'}
            </Button>
          )}
          {otherActions}
        </ButtonRow>
      </Stack>
    </>
  );
}

type ConnectionMessage = { readonly tone: NoticeTone; readonly title: string; readonly text: ReactNode };

function ConnectionStatus({ hmrc, arn, outcome }: { hmrc: HmrcConnection; arn: string | null; outcome: string | null }) {
  const { tone, title, text } = getMessage(hmrc, arn, outcome);
  return (
    <Notice tone={tone} title={title} {...(outcome === null ? {} : { role: 'status' as const })}>
      {text}
    </Notice>
  );
}

function getMessage(hmrc: HmrcConnection, arn: string | null, outcome: string | null): ConnectionMessage {
  if (hmrc.status === 'connected' || hmrc.status === 'ending') return getConnectedMessage(hmrc, arn);
  const outcomeMessage = outcome === null || !Object.hasOwn(OUTCOMES, outcome) ? undefined : OUTCOMES[outcome];
  if (outcomeMessage !== undefined) return { ...outcomeMessage, text: outcomeMessage.text(arn ?? 'your practice') };
  if (arn === null) {
    return {
      tone: 'info',
      title: 'Add your agent reference number first',
      text: 'We need it to check that the permission is for your practice.',
    };
  }
  if (hmrc.status === 'lapsed') {
    return {
      tone: 'error',
      title: 'The connection has ended',
      text: 'The access you grant at HMRC ends after 18 months, or earlier if you withdraw it or change your agent reference number. Your existing figures are still available. Connect again to get new figures.',
    };
  }
  if (hmrc.status === 'declined') {
    return {
      tone: 'warning',
      title: 'Permission wasn’t given last time',
      text: 'HMRC hasn’t shared anything with us. Without permission, we can’t get VAT or Self Assessment figures from HMRC.',
    };
  }
  return {
    tone: 'info',
    title: 'HMRC isn’t connected yet',
    text: 'Until it is, we can’t get VAT or Self Assessment figures from HMRC. Everything else works.',
  };
}

function getConnectedMessage(hmrc: HmrcConnection, arn: string | null): ConnectionMessage {
  const isEnding = hmrc.status === 'ending';
  return {
    tone: isEnding ? 'warning' : 'success',
    title: isEnding ? 'The connection to HMRC ends soon' : 'HMRC is connected',
    text: (
      <>
        For agent services account {arn}
        {hmrc.connected_at !== null && (
          <>
            , since <InstantText at={hmrc.connected_at} />
          </>
        )}
        .
        {hmrc.ends_at !== null && (
          <>
            {' '}
            It ends on <DateText date={toLondonDate(hmrc.ends_at)} />
            {isEnding ? '. Connect again before then.' : '.'}
          </>
        )}
      </>
    ),
  };
}

/** The `outcome` parameter in the URL that HMRC redirects to. */
const OUTCOMES: Readonly<Record<string, Omit<ConnectionMessage, 'text'> & { readonly text: (arn: string) => string }>> = {
  declined: {
    tone: 'info',
    title: 'You didn’t give permission',
    text: () => 'HMRC hasn’t shared anything with us. You can connect now, or later from Settings.',
  },
  wrong_agency: {
    tone: 'warning',
    title: 'That HMRC sign-in is for a different agent services account',
    text: (arn) =>
      `It isn’t the account for ${arn}. We haven’t stored anything from it. Sign out at HMRC and connect with this practice’s user ID, or correct the agent reference number.`,
  },
  not_an_agent: {
    tone: 'warning',
    title: 'That HMRC sign-in doesn’t have an agent services account',
    text: (arn) => `We haven’t stored anything from it. Sign out at HMRC and connect with the user ID for agent services account ${arn}.`,
  },
  failed: {
    tone: 'error',
    title: 'HMRC couldn’t complete the connection',
    text: () =>
      'HMRC isn’t connected. Your details here are safe. This is usually fixed within a few minutes: try again, or do it later and continue.',
  },
};
