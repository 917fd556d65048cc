/** The checklist screen: what an offer needs, what only the payout needs, and what keeps the account secure. */
import { identityCheckApi } from '@portal/contract/identity-check.ts';
import { securityApi } from '@portal/contract/security.ts';
import { useQuery } from '@tanstack/react-query';
import { useOtherHome, type OtherHome } from '../../core/other-home.ts';
import { apiQuery } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import type { Tone } from '../../ui/tone.ts';
import { createSafetyGroup, createChecklist, findNextItem, type ChecklistGroup, type ChecklistItem } from './checklist.ts';
import { useProgress } from './use-progress.ts';
import styles from './welcome-screen.module.css';

const GROUPS: Readonly<Record<ChecklistGroup['key'], { title: string; text: string }>> = {
  offer: { title: 'For your first offer', text: 'We need these to see your refund and make you an offer.' },
  payout: { title: 'Before we pay you', text: 'By law, we must know who we’re paying. You can see your offer without this.' },
  safety: {
    title: 'To keep your account safe',
    text: 'We send receipts and warnings to your email. The rest is optional, but recommended.',
  },
};

const STATUS_DISPLAYS: Readonly<Record<ChecklistItem['status'], { icon: IconName; tone: Tone | 'quiet'; word: string }>> = {
  done: { icon: 'checkCircle', tone: 'success', word: 'Done' },
  todo: { icon: 'arrowForward', tone: 'quiet', word: 'To do' },
  waiting: { icon: 'clock', tone: 'info', word: 'Waiting' },
  optional: { icon: 'arrowForward', tone: 'quiet', word: 'Optional' },
  problem: { icon: 'warning', tone: 'warning', word: 'Action needed' },
};

export function WelcomeScreen() {
  const home = useOtherHome();
  return home === undefined ? <TraderWelcome /> : <OtherWelcome home={home} />;
}

function TraderWelcome() {
  const progress = useProgress();
  const security = useQuery(apiQuery(securityApi.get, {}));
  const identity = useQuery(apiQuery(identityCheckApi.find, {}));
  return (
    <Page title="Welcome" maxWidth="text" lead="What you’ve done and what’s left. You can stop at any time and continue on any device.">
      <LoadState query={progress}>
        {(known) => (
          <LoadState query={security}>
            {(loadedSecurity) => (
              <LoadState query={identity}>
                {(check) => <Checklist groups={createChecklist(known, loadedSecurity, check)} companyId={known.company_id} />}
              </LoadState>
            )}
          </LoadState>
        )}
      </LoadState>
    </Page>
  );
}

/** Practices, their clients and operators have no trader steps, but account security applies to everyone. */
function OtherWelcome({ home }: { home: OtherHome }) {
  const security = useQuery(apiQuery(securityApi.get, {}));
  return (
    <Page
      title="Welcome"
      maxWidth="text"
      lead={home.meaning}
      actions={
        <Button to={home.to} variant="outlined">
          {home.action}
        </Button>
      }
    >
      <LoadState query={security}>
        {(loadedSecurity) => <Checklist groups={[createSafetyGroup(loadedSecurity, null)]} companyId={null} />}
      </LoadState>
    </Page>
  );
}

function Checklist({ groups, companyId }: { groups: readonly ChecklistGroup[]; companyId: string | null }) {
  const next = findNextItem(groups);
  return (
    <Stack gap={24}>
      {groups.map(({ key, items }) => {
        const doneCount = items.filter(({ status }) => status === 'done').length;
        return (
          <SectionCard
            key={key}
            title={GROUPS[key].title}
            aside={
              <Text size="small" tone="quiet">
                {doneCount} of {items.length} done
              </Text>
            }
          >
            <Text tone="quiet">{GROUPS[key].text}</Text>
            <Stack as="ul" gap={0} className={styles.items}>
              {items.map((item) => (
                <Item key={item.key} item={item} isNext={item === next} />
              ))}
            </Stack>
          </SectionCard>
        );
      })}
      {companyId !== null && (
        <Text>
          <TextLink to={getPageLink('dashboard', { company_id: companyId })}>Go to your dashboard</TextLink>
        </Text>
      )}
    </Stack>
  );
}

function Item({ item, isNext }: { item: ChecklistItem; isNext: boolean }) {
  const { icon, tone, word } = STATUS_DISPLAYS[item.status];
  return (
    <Row as="li" className={styles.item}>
      <Icon name={icon} {...(tone === 'quiet' ? { className: styles.quietIcon } : { tone })} />
      <div className={styles.itemText}>
        <Row gap={8} align="baseline" className={styles.itemTitle}>
          {isNext ? item.title : <TextLink to={item.to}>{item.title}</TextLink>}
          <Text as="span" size="small" weight="bold" tone={tone} numeric>
            {word}
          </Text>
        </Row>
        <Text size="small" tone="quiet">
          {item.text}
        </Text>
      </div>
      {isNext && (
        <Button to={item.to} size="small" className={styles.next}>
          {item.status === 'problem' ? 'See why' : 'Do this next'}
          <HiddenText>: {item.title}</HiddenText>
        </Button>
      )}
    </Row>
  );
}
