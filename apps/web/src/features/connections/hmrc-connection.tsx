import type { Instant } from '@portal/domain/clock.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import type { CompanyConnections } from '@portal/contract/connections.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { InstantText } from '../../components/formats/date-text.tsx';
import { FactList, type Fact } from '../../ui/fact-list.tsx';
import type { IconName } from '../../ui/icon.tsx';
import type { Tone } from '../../ui/tone.ts';
import { ConnectionRow } from './connection-row.tsx';

type StatusDisplay = { label: string; icon: IconName; tone: Tone; meaning: string; action: string };

const STATUS_DISPLAYS: Readonly<Record<CompanyConnections['hmrc']['status'], StatusDisplay>> = {
  connected: { label: 'Connected', icon: 'check', tone: 'success', meaning: '', action: 'View permission' },
  ending: {
    label: 'Ends soon',
    icon: 'warning',
    tone: 'warning',
    meaning: 'Your permission lasts 18 months and can’t be extended. Give it again before it ends to avoid any interruption.',
    action: 'Renew permission',
  },
  lapsed: {
    label: 'Ended',
    icon: 'errorCircle',
    tone: 'error',
    meaning: 'We can’t see your figures or file for you until you give permission again. Everything you’ve filed is safe.',
    action: 'Connect HMRC again',
  },
  declined: {
    label: 'Permission declined',
    icon: 'errorCircle',
    tone: 'error',
    meaning: 'You didn’t grant access at HMRC. Without it, we can’t see your returns or file them.',
    action: 'Connect HMRC',
  },
  not_connected: {
    label: 'Not connected',
    icon: 'warning',
    tone: 'warning',
    meaning: 'Without your permission, we can’t see your returns or file them. You’ll sign in on HMRC’s website.',
    action: 'Connect HMRC',
  },
};

/** The HMRC connection: when it started and ends, its last refresh, how to renew it and where to end it. */
export function HmrcConnection({ company: { company_id, vrn, hmrc } }: { company: CompanyConnections }) {
  const { meaning, action, ...state } = STATUS_DISPLAYS[hmrc.status];
  const isUsable = hmrc.status === 'connected' || hmrc.status === 'ending';
  const facts = [
    ...(vrn === null ? [] : [{ label: 'VAT number', value: formatVrn(vrn) }]),
    ...createMomentFact('Since', hmrc.connected_at),
    ...createMomentFact(isUsable ? 'Until' : 'Ended', hmrc.ends_at),
    ...createMomentFact('Last updated', hmrc.last_read_at),
  ];
  return (
    <ConnectionRow
      icon="refresh"
      title="HMRC"
      state={state}
      action={{ label: action, to: getPageLink('linkHmrcAccount', { company_id }), companyId: company_id, access: 'company.manage' }}
      isPrimary={hmrc.status !== 'connected'}
    >
      {meaning !== '' && <div>{meaning}</div>}
      {facts.length > 0 && <FactList facts={facts} />}
      {isUsable && <div>To end it, go to “Manage authorised software” in your HMRC account.</div>}
    </ConnectionRow>
  );
}

function createMomentFact(label: string, at: Instant | null): Fact[] {
  return at === null ? [] : [{ label, value: <InstantText at={at} /> }];
}
