/** The checklist screen: what an offer needs, what only the payout needs, and what keeps the account safe. */
import { identityCheckApi } from '@portal/contract/identity-check.ts';
import { securityApi } from '@portal/contract/security.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { useOtherWork, type OtherWork } from '../../core/other-work.ts';
import { apiQuery } from '../../lib/api.ts';
import { pageLink } from '../../lib/page-link.ts';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { createSafetyGroup, createChecklist, findNextItem, type ChecklistGroup, type ChecklistItem } from './checklist.ts';
import { useProgress } from './use-progress.ts';

const GROUPS: Readonly<Record<ChecklistGroup['key'], { title: string; text: string }>> = {
  offer: { title: 'For your first offer', text: 'With these we can read your refund and make you an offer.' },
  payout: { title: 'Before we pay', text: 'The law asks us to know who we pay. You can look at an offer without it.' },
  safety: { title: 'To keep your account safe', text: 'Not required. We recommend all of it.' },
};

const STATUS_DISPLAYS: Readonly<Record<ChecklistItem['status'], { icon: IconName; tone: string; word: string }>> = {
  done: { icon: 'checkCircle', tone: 'success.tone', word: 'Done' },
  todo: { icon: 'arrowForward', tone: 'text.secondary', word: 'To do' },
  waiting: { icon: 'clock', tone: 'info.tone', word: 'Waiting' },
  problem: { icon: 'warning', tone: 'warning.tone', word: 'Needs you' },
};

export function WelcomeScreen() {
  const work = useOtherWork();
  return work === undefined ? <TraderWelcome /> : <OtherWelcome work={work} />;
}

function TraderWelcome() {
  const progress = useProgress();
  const security = useQuery(apiQuery(securityApi.get, {}));
  const identity = useQuery(apiQuery(identityCheckApi.find, {}));
  return (
    <Page title="Welcome" maxWidth="text" lead="What is done, and what is left. You can stop at any time and come back on any device.">
      <LoadState query={progress}>
        {(known) => (
          <LoadState query={security}>
            {(ways) => (
              <LoadState query={identity}>
                {(check) => <Checklist groups={createChecklist(known, ways, check)} companyId={known.company_id} />}
              </LoadState>
            )}
          </LoadState>
        )}
      </LoadState>
    </Page>
  );
}

/** Practices, their clients and operators have none of a trader's steps. Account safety concerns everyone. */
function OtherWelcome({ work }: { work: OtherWork }) {
  const security = useQuery(apiQuery(securityApi.get, {}));
  return (
    <Page
      title="Welcome"
      maxWidth="text"
      lead={work.meaning}
      actions={
        <Button component={RouterLink} to={work.to} variant="outlined">
          {work.action}
        </Button>
      }
    >
      <LoadState query={security}>{(ways) => <Checklist groups={[createSafetyGroup(ways, null)]} companyId={null} />}</LoadState>
    </Page>
  );
}

function Checklist({ groups, companyId }: { groups: readonly ChecklistGroup[]; companyId: string | null }) {
  const next = findNextItem(groups);
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {groups.map(({ key, items }) => {
        const done = items.filter(({ status }) => status === 'done').length;
        return (
          <SectionCard
            key={key}
            title={GROUPS[key].title}
            aside={
              <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                {done} of {items.length} done
              </Typography>
            }
          >
            <Typography sx={{ color: 'text.secondary', mb: 1 }}>{GROUPS[key].text}</Typography>
            <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
              {items.map((item) => (
                <Item key={item.key} item={item} isNext={item === next} />
              ))}
            </Box>
          </SectionCard>
        );
      })}
      {companyId !== null && (
        <Typography>
          <Link component={RouterLink} to={pageLink('dashboard', { company_id: companyId })}>
            Open the dashboard
          </Link>
        </Typography>
      )}
    </Box>
  );
}

function Item({ item, isNext }: { item: ChecklistItem; isNext: boolean }) {
  const display = STATUS_DISPLAYS[item.status];
  return (
    <Box
      component="li"
      sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, alignItems: 'center', py: 1.5, '& + &': { borderTop: 1, borderColor: 'divider' } }}
    >
      <Icon name={display.icon} sx={{ color: display.tone }} />
      <Box sx={{ flex: '1 1 200px', minWidth: 0 }}>
        <Typography sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1, alignItems: 'baseline', fontWeight: 500 }}>
          {isNext ? (
            item.title
          ) : (
            <Link component={RouterLink} to={item.to}>
              {item.title}
            </Link>
          )}
          <Box component="span" sx={{ fontSize: '0.875rem', fontWeight: 600, color: display.tone, whiteSpace: 'nowrap' }}>
            {display.word}
          </Box>
        </Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {item.text}
        </Typography>
      </Box>
      {isNext && (
        <Button component={RouterLink} to={item.to} size="small" sx={{ width: { xs: '100%', sm: 'auto' } }}>
          {item.status === 'problem' ? 'See why' : 'Do this next'}
          <HiddenText>: {item.title}</HiddenText>
        </Button>
      )}
    </Box>
  );
}
