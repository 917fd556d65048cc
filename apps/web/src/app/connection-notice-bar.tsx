import './connection-notice-bar.css';
import type { ConnectionNotice } from '@portal/contract/connection-notice.ts';
import { londonDate } from '@portal/domain/clock.ts';
import { Link } from 'react-router';
import { DateText, InstantText } from '../ui/date-text.tsx';
import { LinkButton } from '../ui/plain-button.tsx';
import { PlainIcon } from '../ui/plain-icon.tsx';

type ConnectionNoticeBarProps = {
  notice: ConnectionNotice;
  /** Other connections that need attention. */
  others: readonly ConnectionNotice[];
};

/** A connection to HMRC that needs attention: what happened, what it means for the page below and how to fix it. */
export function ConnectionNoticeBar({ notice, others }: ConnectionNoticeBarProps) {
  const { name, state, path, may_connect: mayConnect } = notice;
  const tone = state === 'ended' ? 'error' : 'warning';
  return (
    <aside className={`p-grant p-soft-${tone}`} aria-label="Connection to HMRC">
      <PlainIcon name={state === 'ended' ? 'errorCircle' : 'warning'} tone={tone} />
      <div className="p-grant-text">
        <p className="p-notice-title">{state === 'ended' ? `${name}: the connection to HMRC has ended` : <Ending {...notice} />}</p>
        <p>
          {state === 'ended' ? (
            <Ended {...notice} />
          ) : (
            'HMRC’s permission lasts 18 months. Give it again before then, and nothing is interrupted.'
          )}
          {!mayConnect && ' Ask an admin of the practice to connect HMRC again.'}
          {others.length > 0 && ' Also: '}
          {others.map(({ company_id: id, name: other, path: to }, place) => (
            <span key={id}>
              {place > 0 && ', '}
              <Link to={to}>{other}</Link>
            </span>
          ))}
          {others.length > 0 && '.'}
        </p>
      </div>
      {mayConnect && (
        <LinkButton to={path} size="small" variant={state === 'ended' ? 'contained' : 'outlined'}>
          {state === 'ended' ? 'Connect HMRC again' : 'Renew the connection'}
        </LinkButton>
      )}
    </aside>
  );
}

function Ending({ name, at }: ConnectionNotice) {
  return (
    <>
      {name}: HMRC’s permission ends{' '}
      {at === null ? (
        'soon'
      ) : (
        <>
          on <DateText date={londonDate(at)} />
        </>
      )}
    </>
  );
}

function Ended({ kind, at }: ConnectionNotice) {
  const what = kind === 'practice' ? 'nothing is refreshed from HMRC.' : 'nothing is refreshed from HMRC and no return can be filed.';
  return (
    <>
      {at === null ? (
        'Until it is connected again '
      ) : (
        <>
          Since <InstantText at={at} />{' '}
        </>
      )}
      {what} The figures you see stay, with their dates.
    </>
  );
}
