import type { Instant } from '@portal/domain/clock.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import type { CompanyConnections } from '@portal/contract/connections.ts';
import { pageLink } from '../../lib/page-link.ts';
import type { Role } from '../../core/tokens.ts';
import { InstantText } from '../../ui/date-text.tsx';
import { FactList, type Fact } from '../../ui/fact-list.tsx';
import type { IconName } from '../../ui/icons.tsx';
import { ConnectionRow } from './connection-row.tsx';

type StatusDisplay = { label: string; icon: IconName; tone: Role; meaning: string; action: string };

const STATUS_DISPLAYS: Readonly<Record<CompanyConnections['hmrc']['status'], StatusDisplay>> = {
  connected: { label: 'Connected', icon: 'check', tone: 'success', meaning: '', action: 'See the permission' },
  ending: {
    label: 'Ends soon',
    icon: 'warning',
    tone: 'warning',
    meaning: 'HMRC’s permission lasts 18 months and cannot be extended. Give it again before it ends, and nothing is interrupted.',
    action: 'Renew it',
  },
  lapsed: {
    label: 'Ended',
    icon: 'errorCircle',
    tone: 'error',
    meaning: 'We can neither read nor file for you until you give the permission again. Nothing that was filed is lost.',
    action: 'Connect HMRC again',
  },
  declined: {
    label: 'Not allowed',
    icon: 'errorCircle',
    tone: 'error',
    meaning: 'At HMRC the permission was declined. Without it we see no returns and can file none.',
    action: 'Connect HMRC',
  },
  not_connected: {
    label: 'Not connected',
    icon: 'warning',
    tone: 'warning',
    meaning: 'Without HMRC’s permission we see no returns and can file none. You sign in on HMRC’s own page.',
    action: 'Connect HMRC',
  },
};

/** The HMRC connection: when it started, when it ends, its last refresh, how to renew it and where to end it. */
export function HmrcConnection({ company: { company_id, vrn, hmrc } }: { company: CompanyConnections }) {
  const { meaning, action, ...state } = STATUS_DISPLAYS[hmrc.status];
  const isAlive = hmrc.status === 'connected' || hmrc.status === 'ending';
  const facts = [
    ...(vrn === null ? [] : [{ label: 'VAT number', value: formatVrn(vrn) }]),
    ...momentFact('Since', hmrc.connected_at),
    ...momentFact(isAlive ? 'Until' : 'Ended', hmrc.ends_at),
    ...momentFact('Last read', hmrc.last_read_at),
  ];
  return (
    <ConnectionRow
      icon="refresh"
      title="HMRC"
      state={state}
      action={{ label: action, to: pageLink('linkHmrcAccount', { company_id }) }}
      isMain={hmrc.status !== 'connected'}
    >
      {meaning !== '' && <div>{meaning}</div>}
      {facts.length > 0 && <FactList facts={facts} />}
      {isAlive && <div>To end it, open “Manage authorised software” in your HMRC account.</div>}
    </ConnectionRow>
  );
}

function momentFact(label: string, at: Instant | null): Fact[] {
  return at === null ? [] : [{ label, value: <InstantText at={at} /> }];
}
