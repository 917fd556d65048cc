/**
 * The cookie banner (PECR, regulation 6; docs/decisions/0015). Shown only if there is something to store: an analytics container, tags or a
 * partner's name of this visit, or the chat when it is opened. It doesn't take the focus unless requested, and doesn't move the page.
 */
import './consent-banner.css';
import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import { openCookieChoices, setChoicesOpener, setConsentPrompt } from '../lib/request-consent.ts';
import { ALL_ACCEPTED, ALL_REJECTED, readConsent, saveConsent, type ConsentChoices } from '../lib/consent.ts';
import { COOKIE_KINDS } from '../lib/cookie-kinds.ts';
import { parseTags } from '../lib/marketing-tags.ts';
import { getCurrentPartner } from '../lib/partner.ts';
import { analyticsScriptUrl, chatScriptUrl } from '../lib/settings.ts';

type Mode = 'closed' | 'ask' | 'choose' | 'chat';

/** `path` lets the banner appear on a page after the first. */
export function ConsentBanner({ path }: { path: string }) {
  const [mode, setMode] = useState<Mode>('closed');
  const answerChat = useRef<((allowed: boolean) => void) | undefined>(undefined);
  const previousFocus = useRef<Element | null>(null);
  const box = useRef<HTMLElement>(null);
  useSpaceBelow(box, mode);

  useEffect(() => {
    if (readConsent() === undefined && hasReasonToAsk()) setMode((now) => (now === 'closed' ? 'ask' : now));
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
  // Move the focus only for people who opened the choices themselves.
  useEffect(() => {
    if (mode === 'choose' || mode === 'chat') box.current?.querySelector('h2')?.focus();
  }, [mode]);

  const close = (): void => {
    setMode('closed');
    if (previousFocus.current instanceof HTMLElement) previousFocus.current.focus();
    previousFocus.current = null;
  };
  const save = (choices: ConsentChoices): void => {
    saveConsent(choices);
    close();
  };
  const finishChat = (allowed: boolean): void => {
    close();
    answerChat.current?.(allowed);
    answerChat.current = undefined;
  };

  if (mode === 'closed') return null;
  return (
    <section ref={box} className="consent" aria-label="Cookies">
      <div>
        {mode === 'ask' && <Question save={save} choose={() => setMode('choose')} />}
        {mode === 'choose' && <Choices save={save} />}
        {mode === 'chat' && <ChatQuestion answer={finishChat} />}
      </div>
    </section>
  );
}

/** The link to the cookie choices. It is on every page, because withdrawing consent must be as easy as giving it. */
export function CookieFooter() {
  return (
    <div className="consent-footer">
      <button type="button" onClick={openCookieChoices}>
        Cookie choices
      </button>
    </div>
  );
}

function hasReasonToAsk(): boolean {
  return analyticsScriptUrl() !== '' || Object.keys(parseTags(location.search)).length > 0 || getCurrentPartner() !== 'organic';
}

function Question({ save, choose }: { save: (choices: ConsentChoices) => void; choose: () => void }) {
  return (
    <>
      <h2 tabIndex={-1}>Cookies</h2>
      <p>
        We keep only what the service needs until you say so. May we also keep {formatList(optionalParts())}? You can change this at any
        time under “Cookie choices”.
      </p>
      <div className="consent-answers">
        <button type="button" onClick={() => save(ALL_ACCEPTED)}>
          Accept all
        </button>
        <button type="button" onClick={() => save(ALL_REJECTED)}>
          Reject all
        </button>
        <button type="button" onClick={choose}>
          Choose
        </button>
      </div>
    </>
  );
}

function Choices({ save }: { save: (choices: ConsentChoices) => void }) {
  const [choices, setChoices] = useState<ConsentChoices>(() => readConsent() ?? ALL_REJECTED);
  const id = useId();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save(choices);
  };
  return (
    <form onSubmit={submit}>
      <h2 tabIndex={-1}>Cookie choices</h2>
      <fieldset aria-label="What we may keep on your device">
        {optionalParts().map(({ kind, name, meaning }) => (
          <label key={kind}>
            <input
              type="checkbox"
              checked={choices[kind]}
              aria-describedby={`${id}-${kind}`}
              onChange={({ target }) => setChoices({ ...choices, [kind]: target.checked })}
            />
            <strong>{name}</strong>
            <span id={`${id}-${kind}`} className="consent-small">
              {meaning}
            </span>
          </label>
        ))}
      </fieldset>
      <p className="consent-small">
        Always there: what keeps you logged in, protects your account, and tells HMRC which device a return comes from.
      </p>
      <div className="consent-answers">
        <button type="submit">Save choices</button>
        <button type="button" onClick={() => save(ALL_REJECTED)}>
          Reject all
        </button>
        <button type="button" onClick={() => save(ALL_ACCEPTED)}>
          Accept all
        </button>
      </div>
    </form>
  );
}

function ChatQuestion({ answer }: { answer: (allowed: boolean) => void }) {
  return (
    <>
      <h2 tabIndex={-1}>The chat keeps cookies</h2>
      <p>
        Our chat is run by HubSpot. To hold your conversation together it keeps cookies on your device, and learns your email address when
        you are logged in.
      </p>
      <div className="consent-answers">
        <button type="button" onClick={() => answer(true)}>
          Allow and chat
        </button>
        <button type="button" onClick={() => answer(false)}>
          Not now
        </button>
      </div>
    </>
  );
}

type OptionalPart = { readonly kind: keyof ConsentChoices; readonly name: string; readonly short: string; readonly meaning: string };

/** The optional cookies that this portal uses. */
function optionalParts(): OptionalPart[] {
  const isSetUp = { analytics: analyticsScriptUrl() !== '', marketing: true, chat: chatScriptUrl() !== '' };
  const kinds = (Object.keys(COOKIE_KINDS) as (keyof ConsentChoices)[]).filter((kind) => isSetUp[kind]);
  return kinds.map((kind) => ({ kind, ...COOKIE_KINDS[kind] }));
}

function formatList(parts: readonly OptionalPart[]): string {
  return new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(parts.map(({ short }) => short));
}

/** Adds space at the end of the page while the banner is open, so that it doesn't cover the last content (WCAG 2.4.11). */
function useSpaceBelow(box: { readonly current: HTMLElement | null }, mode: Mode): void {
  useEffect(() => {
    if (mode === 'closed') return undefined;
    const { body, documentElement: root } = document;
    const measure = (): void => {
      const height = `${box.current?.offsetHeight ?? 0}px`;
      body.style.paddingBottom = height;
      root.style.scrollPaddingBottom = height;
      root.style.setProperty('--consent-room', height);
    };
    // The height changes with the window, and is 0 while a dialog hides the banner.
    const watcher = new ResizeObserver(measure);
    if (box.current !== null) watcher.observe(box.current);
    return () => {
      watcher.disconnect();
      body.style.paddingBottom = '';
      root.style.scrollPaddingBottom = '';
      root.style.removeProperty('--consent-room');
    };
  }, [box, mode]);
}
