/**
 * The cookie banner (PECR, regulation 6; docs/decisions/0015). Shown only if something may be stored: an analytics container, tags, the
 * partner's name for this visit, or the chat once it is opened. Its panel is loaded when it is shown.
 */
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { openCookieChoices, setChoicesOpener, setConsentPrompt } from '../lib/request-consent.ts';
import { readConsent, saveConsent, type ConsentChoices } from '../lib/consent.ts';
import { parseTags } from '../lib/marketing-tags.ts';
import { getCurrentPartner } from '../lib/partner.ts';
import { getAnalyticsScriptUrl } from '../lib/settings.ts';
import { getTextLinkClass } from '../ui/text-link-look.ts';
import styles from './consent-banner.module.css';

const ConsentPanel = lazy(() => import('./consent-panel.tsx').then((file) => ({ default: file.ConsentPanel })));

type Mode = 'closed' | 'ask' | 'choose' | 'chat';

/** `path` lets the banner appear on later pages too. */
export function ConsentBanner({ path }: { path: string }) {
  const [mode, setMode] = useState<Mode>('closed');
  const answerChat = useRef<((isChatAllowed: boolean) => void) | undefined>(undefined);
  const previousFocus = useRef<Element | null>(null);

  useEffect(() => {
    if (readConsent() === undefined && hasUnansweredChoices()) setMode((now) => (now === 'closed' ? 'ask' : now));
  }, [path]);
  useEffect(() => {
    const open = (next: Mode): void => {
      previousFocus.current = document.activeElement;
      setMode(next);
    };
    const stopAsking = setConsentPrompt(() => {
      answerChat.current?.(false);
      open('chat');
      return new Promise((resolve) => {
        answerChat.current = resolve;
      });
    });
    const stopOpening = setChoicesOpener(() => open('choose'));
    return () => {
      stopAsking();
      stopOpening();
      answerChat.current?.(false);
    };
  }, []);

  const close = (): void => {
    setMode('closed');
    if (previousFocus.current instanceof HTMLElement) previousFocus.current.focus();
    previousFocus.current = null;
  };
  const save = (choices: ConsentChoices): void => {
    saveConsent(choices);
    close();
  };
  const finishChat = (isChatAllowed: boolean): void => {
    close();
    answerChat.current?.(isChatAllowed);
    answerChat.current = undefined;
  };

  if (mode === 'closed') return null;
  return (
    <Suspense>
      <ConsentPanel mode={mode} save={save} choose={() => setMode('choose')} answerChat={finishChat} />
    </Suspense>
  );
}

/** The link to the cookie choices, shown on every page, because withdrawing consent must be as easy as giving it. */
export function CookieFooter() {
  return (
    <div className={styles.footer}>
      <button type="button" className={getTextLinkClass({ isButton: true })} onClick={openCookieChoices}>
        Cookie choices
      </button>
    </div>
  );
}

function hasUnansweredChoices(): boolean {
  return getAnalyticsScriptUrl() !== '' || Object.keys(parseTags(location.search)).length > 0 || getCurrentPartner() !== 'organic';
}
