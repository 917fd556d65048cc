/** Lets visitors choose which cookies they allow. Choices can be changed at any time and take effect immediately. */
import { PAGES } from '@portal/contract/pages.ts';
import { useEffect, useState } from 'react';
import { ALL_ACCEPTED, ALL_REJECTED, onConsentChange, readConsent, saveConsent, type ConsentChoices } from '../../lib/consent.ts';
import { COOKIE_KINDS } from '../../lib/cookie-kinds.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { BROWSER_STORAGE } from './browser-storage.ts';
import styles from './cookie-choices-screen.module.css';

export function CookieChoicesScreen() {
  const [choices, setChoices] = useState<ConsentChoices>(() => readConsent() ?? ALL_REJECTED);
  const [isSaved, setIsSaved] = useState(false);
  // The cookie banner at the bottom of the page can change the choices too.
  useEffect(() => onConsentChange(setChoices), []);
  const save = (chosenConsent: ConsentChoices) => {
    saveConsent(chosenConsent);
    setIsSaved(true);
  };
  return (
    <Page
      title="Cookie choices"
      maxWidth="text"
      lead="We always store what the service needs. Everything else is up to you, and you can change your mind here at any time."
    >
      <Stack gap={24}>
        {isSaved && (
          <Notice tone="success" title="Preferences saved" role="status">
            We’ll remember them for 180 days, in this browser only.
          </Notice>
        )}
        <SectionCard title="Essential">
          <Text>
            Without these, you couldn’t log in, a return could be filed twice, and we wouldn’t know who referred you during this visit.
          </Text>
          <Text size="small" tone="quiet" className={styles.names}>
            Stores {formatNames(undefined)}
          </Text>
        </SectionCard>
        <SectionCard title="Optional">
          <Stack gap={24}>
            <Stack as="ul" gap={12}>
              {(Object.keys(COOKIE_KINDS) as (keyof ConsentChoices)[]).map((choice) => (
                <li key={choice}>
                  <Checkbox
                    label={COOKIE_KINDS[choice].name}
                    aria-describedby={`choice-${choice}-names`}
                    hint={COOKIE_KINDS[choice].meaning}
                    checked={choices[choice]}
                    onChange={({ target }) => {
                      setIsSaved(false);
                      setChoices({ ...choices, [choice]: target.checked });
                    }}
                  />
                  <Text id={`choice-${choice}-names`} size="small" tone="quiet" className={styles.choiceNames}>
                    Stores {formatNames(choice)}
                  </Text>
                </li>
              ))}
            </Stack>
            <ButtonRow>
              <Button onClick={() => save(choices)}>Save choices</Button>
              <Button variant="outlined" onClick={() => save(ALL_REJECTED)}>
                Reject all
              </Button>
              <Button variant="outlined" onClick={() => save(ALL_ACCEPTED)}>
                Accept all
              </Button>
            </ButtonRow>
          </Stack>
        </SectionCard>
        <Text>
          The <TextLink to={PAGES.privacy.path}>data policy</TextLink> explains what each of these is for and how long it’s stored.
        </Text>
      </Stack>
    </Page>
  );
}

const formatNames = (needs: keyof ConsentChoices | undefined): string =>
  [...new Set(BROWSER_STORAGE.filter((item) => item.needs === needs).map(({ name }) => name.replace(/:$/, '')))].join(', ');
