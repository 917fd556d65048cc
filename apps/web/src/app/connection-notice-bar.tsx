import type { ConnectionNotice } from '@portal/contract/connection-notice.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { BOOKS_PROVIDER_NAMES } from '@portal/domain/connected-books/books-providers.ts';
import { DateText, InstantText } from '../components/formats/date-text.tsx';
import { Button } from '../ui/button.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { NoticeBar } from './notice-bar.tsx';

type ConnectionNoticeBarProps = {
  notice: ConnectionNotice;
  /** Other connections that need attention. */
  others: readonly ConnectionNotice[];
};

/** A connection that needs attention: what happened, what it means for the page below and how to fix it. */
export function ConnectionNoticeBar({ notice, others }: ConnectionNoticeBarProps) {
  const { name, state, path, service, may_connect: mayConnect } = notice;
  const serviceName = SERVICE_NAMES[service];
  return (
    <NoticeBar
      tone={state === 'ended' ? 'error' : 'warning'}
      label={`Connection to ${serviceName}`}
      title={state === 'ended' ? `${name}: the connection to ${serviceName} has ended` : <AccessEnding {...notice} />}
      action={
        mayConnect && (
          <Button to={path} size="small" variant={state === 'ended' ? 'filled' : 'outlined'}>
            {state === 'ended' ? `Connect ${serviceName} again` : 'Renew the connection'}
          </Button>
        )
      }
    >
      {state === 'ended' ? <Ended {...notice} /> : 'HMRC connections last 18 months. Renew yours before then to avoid any interruption.'}
      {!mayConnect && ` Ask an admin of the practice to connect ${serviceName} again.`}
      {others.length > 0 && ' Also: '}
      {others.map(({ company_id: id, name: other, service: otherService, path: to }, index) => (
        <span key={`${id} ${otherService}`}>
          {index > 0 && ', '}
          <TextLink to={to}>
            {other} ({SERVICE_NAMES[otherService]})
          </TextLink>
        </span>
      ))}
      {others.length > 0 && '.'}
    </NoticeBar>
  );
}

function AccessEnding({ name, at }: ConnectionNotice) {
  return (
    <>
      {name}: the HMRC connection ends{' '}
      {at === null ? (
        'soon'
      ) : (
        <>
          on <DateText date={toLondonDate(at)} />
        </>
      )}
    </>
  );
}

const SERVICE_NAMES: Readonly<Record<ConnectionNotice['service'], string>> = {
  hmrc: 'HMRC',
  gmail: 'Gmail',
  outlook: 'Outlook',
  ...BOOKS_PROVIDER_NAMES,
};

const isBooksProvider = (service: string): boolean => Object.hasOwn(BOOKS_PROVIDER_NAMES, service);

/** Describes what doesn't work until someone reconnects, and what still does. */
function getConsequence({ kind, service }: ConnectionNotice): string {
  if (isBooksProvider(service))
    return `your figures won’t include new entries in ${SERVICE_NAMES[service]}. The figures we’ve already read are still available.`;
  if (service !== 'hmrc') return 'emails to your clients are on hold. Nothing is lost.';
  const effect = kind === 'practice' ? 'we can’t refresh figures from HMRC.' : 'we can’t refresh figures from HMRC or file returns.';
  return `${effect} Your existing figures are still available.`;
}

function Ended(notice: ConnectionNotice) {
  const { at } = notice;
  return (
    <>
      {at === null ? (
        'Until you reconnect, '
      ) : (
        <>
          It ended on <InstantText at={at} />. Until you reconnect,{' '}
        </>
      )}
      {getConsequence(notice)}
    </>
  );
}
