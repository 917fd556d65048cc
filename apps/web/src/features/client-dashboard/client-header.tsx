/**
 * The header of a client's page, which stays in view: name, references, what is owed, who is responsible for the client, and the main
 * action.
 */
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import type { Pence } from '@portal/domain/money.ts';
import { isIncomplete } from '@portal/domain/positions/figures-state.ts';
import clsx from 'clsx';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { Link } from '../../ui/link.tsx';
import { KIND_NAMES, STATUS_NAMES } from '../../lib/client-labels.ts';
import { formatKnownAmount, NeedChip } from '../../components/practice/figures-label.tsx';
import { PoundsText } from '../../components/formats/pounds-text.tsx';
import { CopyChip } from '../../ui/copy-chip.tsx';
import { Select } from '../../ui/input.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ClientActions, MessageAction, TasksAction } from './client-actions.tsx';
import styles from './client-header.module.css';
import type { ClientIds, ClientProfile } from './client-page.ts';
import { getAmountsLink, getTabLink, listClientTabs, type ClientTab } from './client-tabs.ts';
import { GroupRow } from './group-row.tsx';
import { MuteAction } from './mute-action.tsx';
import { MainAction } from './main-action.tsx';
import { OtherClient } from './other-client.tsx';
import { TagsRow } from './tags-row.tsx';

type ClientHeaderProps = { ids: ClientIds; client: ClientProfile; tab: ClientTab; heading: ReactNode };

/** The first lines scroll away. The name with its amounts and the section links stay in view. */
export function ClientHeader({ ids, client, tab, heading }: ClientHeaderProps) {
  return (
    <>
      <div className={styles.top}>
        <OtherClient companyId={ids.companyId} current={ids.clientId} />
        <div className={styles.actions}>
          <TasksAction ids={ids} />
          <MessageAction ids={ids} client={client} />
          <ClientActions ids={ids} client={client} />
          <MuteAction companyId={ids.companyId} clientId={ids.clientId} />
        </div>
      </div>
      <header className={styles.sticky}>
        <div className={styles.main}>
          <div className={styles.name}>{heading}</div>
          <Amounts ids={ids} client={client} />
          <div className={styles.action}>
            <MainAction ids={ids} client={client} tab={tab} />
          </div>
        </div>
        {/* From 900 px, beside the name. On smaller screens, where it would take up half the window, it is below the name and scrolls away. */}
        <div className={styles.inHead}>
          <References client={client} />
          <span className={styles.quiet}>{formatOwner(client)}</span>
        </div>
        <ClientSections ids={ids} client={client} tab={tab} />
      </header>
      <div className={styles.facts}>
        <div className={styles.chips}>
          <NeedChip figures={client} attention={client.attention} today={client.today} />
          <span className={styles.quiet}>
            {KIND_NAMES[client.kind]}, {STATUS_NAMES[client.status].toLowerCase()}
            <span className={styles.belowHead}>. {formatOwner(client)}</span>
          </span>
        </div>
        <div className={styles.belowHead}>
          <References client={client} />
        </div>
        <TagsRow ids={ids} client={client} />
        <GroupRow ids={ids} client={client} />
      </div>
    </>
  );
}

function formatOwner({ members }: ClientProfile): string {
  const names = [...new Set(members.map(({ full_name: name }) => name))];
  return names.length === 0 ? 'Owner: unassigned' : `Owner: ${names.join(', ')}`;
}

/** Each amount links to its breakdown: the cards of all taxes, or the section of the client's only tax. */
function Amounts({ ids, client }: { ids: ClientIds; client: ClientProfile }) {
  const to = getAmountsLink(ids, client.taxes);
  return (
    <dl className={styles.amounts}>
      <Amount label="Owed" to={to} amount={client.owed_pence} state={client.figures_state} />
      <Amount label="Overdue" to={to} amount={client.overdue_pence} state={client.figures_state} isLate />
    </dl>
  );
}

type AmountProps = { label: string; to: string; amount: Pence | null; state: ClientProfile['figures_state']; isLate?: boolean };

/** While a tax doesn't have figures yet, an amount is "at least", and zero counts as unknown. */
function Amount({ label, to, amount, state, isLate = false }: AmountProps) {
  const isKnown = amount !== null && amount > 0;
  return (
    <div>
      <dt>{isKnown && isIncomplete(state) ? `${label}, at least` : label}</dt>
      <dd className={clsx(isLate && isKnown && styles.late)}>
        {isKnown ? (
          <TextLink to={to} inheritsColour>
            <PoundsText amount={amount} />
          </TextLink>
        ) : (
          formatKnownAmount(amount, state)
        )}
      </dd>
    </div>
  );
}

function References({ client }: { client: ClientProfile }) {
  const { vrn: vatNumber, vat_group: group } = client;
  const groupNumber = group?.role === 'member' ? group.vrn : null;
  const references = [
    { label: 'VAT', value: vatNumber && formatVrn(vatNumber), copied: vatNumber },
    { label: 'VAT group', value: groupNumber && formatVrn(groupNumber), copied: groupNumber },
    { label: 'UTR', value: client.utr },
    { label: 'NI number', value: client.nino },
    { label: 'Company no.', value: client.company_number },
    { label: 'PAYE', value: client.paye_reference },
    { label: 'Accounts Office', value: client.accounts_office_reference },
  ];
  return (
    <div className={styles.references}>
      {references.map(({ label, value, copied }) =>
        value === null ? null : <CopyChip key={label} label={label} text={value} copiedText={copied ?? value} />,
      )}
    </div>
  );
}

/** Links from 900 px. On smaller screens, where links would take up three lines, a select. */
function ClientSections({ ids, client, tab }: { ids: ClientIds; client: ClientProfile; tab: ClientTab }) {
  const navigate = useNavigate();
  const tabs = listClientTabs(client);
  return (
    <nav aria-label="Sections" className={styles.sections}>
      <ul>
        {tabs.map(({ tab: key, label }) => (
          <li key={key}>
            <Link to={getTabLink(ids, key)} preventScrollReset aria-current={key === tab ? 'page' : undefined}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
      <Select
        small
        aria-label="Section"
        value={tab}
        onChange={({ target: { value } }) => void navigate(getTabLink(ids, value as ClientTab), { preventScrollReset: true })}
      >
        {tabs.map(({ tab: key, label }) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </Select>
    </nav>
  );
}
