/** Signing in without a password: with a passkey on this device or with a provider. */
import clsx from 'clsx';
import { useState, useSyncExternalStore } from 'react';
import { getPostLoginPath } from '../lib/post-login-path.ts';
import { supportsPasskeys, getPasskeyErrorMessage, signInWithPasskey } from '../lib/passkey.ts';
import { getProviderSignInUrl, LOGIN_PROVIDERS } from '../lib/sign-in-providers.ts';
import { BrandMark } from '../ui/brand-mark.tsx';
import { getButtonClass } from '../ui/button-look.ts';
import { Icon } from '../ui/icon.tsx';
import { Notice } from '../ui/notice.tsx';
import { Heading } from '../ui/text.tsx';
import styles from './login-card.module.css';
import { completeSignIn } from './redirect-signed-in.ts';
import { HmrcForm } from './hmrc-form.tsx';
import { useSingleRun } from './use-single-run.ts';

const PROVIDER = clsx(getButtonClass({ variant: 'outlined', tone: 'neutral', fit: 'wide', startAligned: true }), styles.brand);

const subscribeToNothing = () => () => undefined;

export function OtherSignInMethods() {
  // Storage and the query are known only in the browser. The prerendered page shows all buttons.
  const isInBrowser = useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
  const next = isInBrowser ? getPostLoginPath() : undefined;
  const startsWithHmrc = isInBrowser && new URLSearchParams(location.search).get('outcome') === 'needs_vrn';
  const [wantsVrnForm, setWantsVrnForm] = useState<boolean | undefined>(undefined);
  const showsVrnForm = wantsVrnForm ?? startsWithHmrc;
  return (
    <section className={styles.card} aria-labelledby="other-ways">
      <Heading level={2} id="other-ways">
        Other ways to log in
      </Heading>
      <PasskeyButton isSupported={!isInBrowser || supportsPasskeys()} />
      <ul className={styles.providers}>
        {LOGIN_PROVIDERS.map(({ name, brand, displayName }) => (
          <li key={name}>
            {name === 'hmrc' ? (
              <button type="button" className={PROVIDER} aria-expanded={showsVrnForm} onClick={() => setWantsVrnForm(!showsVrnForm)}>
                <BrandMark brand={brand} />
                Sign in with {displayName}
              </button>
            ) : (
              <a className={PROVIDER} href={getProviderSignInUrl(name, { next })}>
                <BrandMark brand={brand} />
                Sign in with {displayName}
              </a>
            )}
          </li>
        ))}
      </ul>
      {showsVrnForm && <HmrcForm next={next} />}
    </section>
  );
}

/** Prerendered although passkeys may not be supported, to avoid a layout shift for the many users who can use them. */
function PasskeyButton({ isSupported }: { isSupported: boolean }) {
  const signIn = useSingleRun(async () => {
    await signInWithPasskey();
    await completeSignIn();
  });
  if (!isSupported) return null;
  return (
    <>
      {signIn.error !== undefined && (
        <Notice tone="error" title="You’re not logged in yet" role="alert">
          {getPasskeyErrorMessage(signIn.error)}
        </Notice>
      )}
      <button type="button" className={clsx(PROVIDER, styles.passkey)} onClick={signIn.run} disabled={signIn.isRunning}>
        <Icon name="key" />
        {signIn.isRunning ? 'Waiting for your device…' : 'Use a passkey'}
      </button>
    </>
  );
}
