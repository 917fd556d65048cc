/** The open cookie banner. It takes the focus only on request, and doesn't move the page. */
import clsx from 'clsx';
import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import { ALL_REJECTED, readConsent, type ConsentChoices } from '../lib/consent.ts';
import { COOKIE_KINDS } from '../lib/cookie-kinds.ts';
import { getAnalyticsScriptUrl, getChatScriptUrl } from '../lib/settings.ts';
import { getButtonClass } from '../ui/button-look.ts';
import { Heading } from '../ui/text.tsx';
import styles from './consent-panel.module.css';

type ConsentPanelProps = {
  mode: 'ask' | 'choose' | 'chat';
  save: (choices: ConsentChoices) => void;
  choose: () => void;
  answerChat: (isAllowed: boolean) => void;
};

export function ConsentPanel({ mode, save, choose, answerChat }: ConsentPanelProps) {
  const box = useRef<HTMLElement>(null);
  useSpaceBelow(box);
  // Move the focus only for users who opened the choices themselves.
  useEffect(() => {
    if (mode === 'choose' || mode === 'chat') box.current?.querySelector('h2')?.focus();
  }, [mode]);
  return (
    <section ref={box} className={styles.banner} aria-label="Cookies">
      <div className={clsx(styles.content, mode !== 'choose' && styles.question)}>
        {mode === 'ask' && <Question save={save} choose={choose} />}
        {mode === 'choose' && <Choices save={save} />}
        {mode === 'chat' && <ChatQuestion answer={answerChat} />}
      </div>
    </section>
  );
}

const ANSWER = getButtonClass({ variant: 'outlined', tone: 'neutral' });

function Question({ save, choose }: { save: (choices: ConsentChoices) => void; choose: () => void }) {
  const parts = listOptionalParts();
  return (
    <>
      <Heading level={2} tabIndex={-1}>
        Cookies
      </Heading>
      <p className={styles.text}>
        We use essential cookies to make this service work. Can we also remember {formatList(parts)}? You can change your mind at any time
        under “Cookie choices”.
      </p>
      <div className={styles.answers}>
        <button type="button" className={ANSWER} onClick={() => save(acceptAll(parts))}>
          Accept all
        </button>
        <button type="button" className={ANSWER} onClick={() => save(ALL_REJECTED)}>
          Reject all
        </button>
        <button type="button" className={ANSWER} onClick={choose}>
          Choose
        </button>
      </div>
    </>
  );
}

function Choices({ save }: { save: (choices: ConsentChoices) => void }) {
  const [choices, setChoices] = useState<ConsentChoices>(() => readConsent() ?? ALL_REJECTED);
  const id = useId();
  const parts = listOptionalParts();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save(choices);
  };
  return (
    <form onSubmit={submit}>
      <Heading level={2} tabIndex={-1}>
        Cookie choices
      </Heading>
      <fieldset aria-label="What we can store on your device" className={styles.kinds}>
        {parts.map(({ kind, name, meaning }) => (
          <label key={kind} className={styles.kind}>
            <input
              type="checkbox"
              checked={choices[kind]}
              aria-describedby={`${id}-${kind}`}
              onChange={({ target }) => setChoices({ ...choices, [kind]: target.checked })}
            />
            <strong>{name}</strong>
            <span id={`${id}-${kind}`} className={styles.small}>
              {meaning}
            </span>
          </label>
        ))}
      </fieldset>
      <p className={clsx(styles.text, styles.small)}>
        Essential cookies are always on. They keep you logged in, protect your account, and tell HMRC which device a return comes from.
      </p>
      <div className={styles.answers}>
        <button type="submit" className={ANSWER}>
          Save choices
        </button>
        <button type="button" className={ANSWER} onClick={() => save(ALL_REJECTED)}>
          Reject all
        </button>
        <button type="button" className={ANSWER} onClick={() => save(acceptAll(parts))}>
          Accept all
        </button>
      </div>
    </form>
  );
}

function ChatQuestion({ answer }: { answer: (isAllowed: boolean) => void }) {
  return (
    <>
      <Heading level={2} tabIndex={-1}>
        The chat uses cookies
      </Heading>
      <p className={styles.text}>
        HubSpot runs our chat. It stores cookies on your device to keep track of your conversation. If you’re logged in, it also receives
        your email address.
      </p>
      <div className={styles.answers}>
        <button type="button" className={ANSWER} onClick={() => answer(true)}>
          Allow and chat
        </button>
        <button type="button" className={ANSWER} onClick={() => answer(false)}>
          Not now
        </button>
      </div>
    </>
  );
}

type OptionalPart = { readonly kind: keyof ConsentChoices; readonly name: string; readonly short: string; readonly meaning: string };

/** "Accept all" allows only what the banner lists, not kinds of cookies that haven't been set up. */
function acceptAll(parts: readonly OptionalPart[]): ConsentChoices {
  return parts.reduce<ConsentChoices>((choices, { kind }) => ({ ...choices, [kind]: true }), ALL_REJECTED);
}

/** The optional cookies that this portal uses. */
function listOptionalParts(): OptionalPart[] {
  const isSetUp = { analytics: getAnalyticsScriptUrl() !== '', marketing: true, chat: getChatScriptUrl() !== '' };
  const kinds = (Object.keys(COOKIE_KINDS) as (keyof ConsentChoices)[]).filter((kind) => isSetUp[kind]);
  return kinds.map((kind) => ({ kind, ...COOKIE_KINDS[kind] }));
}

function formatList(parts: readonly OptionalPart[]): string {
  return new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(parts.map(({ short }) => short));
}

/** Adds space at the end of the page while the banner is open, so that the banner doesn't cover the last content (WCAG 2.4.11). */
function useSpaceBelow(box: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const { body, documentElement: root } = document;
    const measure = (): void => {
      const height = `${box.current?.offsetHeight ?? 0}px`;
      body.style.paddingBottom = height;
      root.style.scrollPaddingBottom = height;
      root.style.setProperty('--consent-banner-height', height);
    };
    // The height changes with the window, and is 0 while a dialog hides the banner.
    const watcher = new ResizeObserver(measure);
    if (box.current !== null) watcher.observe(box.current);
    return () => {
      watcher.disconnect();
      body.style.paddingBottom = '';
      root.style.scrollPaddingBottom = '';
      root.style.removeProperty('--consent-banner-height');
    };
  }, [box]);
}
