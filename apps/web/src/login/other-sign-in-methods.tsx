/** Signing in without a password: with a passkey of this device or with a provider. */
import { useState, useSyncExternalStore } from 'react';
import { getPostLoginPath } from '../lib/post-login-path.ts';
import { supportsPasskeys, getPasskeyErrorMessage, signInWithPasskey } from '../lib/passkey.ts';
import { LOGIN_PROVIDERS, providerSignInUrl } from '../lib/sign-in-providers.ts';
import { BrandMark } from '../ui/brand-mark.tsx';
import { completeSignIn } from './redirect-signed-in.ts';
import { HmrcForm } from './hmrc-form.tsx';
import { useSingleRun } from './use-single-run.ts';

const neverChanges = () => () => undefined;

export function OtherSignInMethods() {
  // Storage and query are known in the browser only. The prerendered page has all buttons.
  const isInBrowser = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
  const next = isInBrowser ? getPostLoginPath() : undefined;
  const startsWithHmrc = isInBrowser && new URLSearchParams(location.search).get('outcome') === 'needs_vrn';
  const [wantsVrnForm, setWantsVrnForm] = useState<boolean | undefined>(undefined);
  const showsVrnForm = wantsVrnForm ?? startsWithHmrc;
  return (
    <section className="card sheet" aria-labelledby="other-ways">
      <h2 id="other-ways">Other ways to log in</h2>
      <PasskeyButton isSupported={!isInBrowser || supportsPasskeys()} />
      <ul className="providers two">
        {LOGIN_PROVIDERS.map(({ name, brand, displayName }) => (
          <li key={name}>
            {name === 'hmrc' ? (
              <button type="button" className="button brand" aria-expanded={showsVrnForm} onClick={() => setWantsVrnForm(!showsVrnForm)}>
                <BrandMark brand={brand} />
                Sign in with {displayName}
              </button>
            ) : (
              <a className="button brand" href={providerSignInUrl(name, { next })}>
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

/** Prerendered although passkeys may not be supported, so that nothing moves for the many who have them. */
function PasskeyButton({ isSupported }: { isSupported: boolean }) {
  const signIn = useSingleRun(async () => {
    await signInWithPasskey();
    await completeSignIn();
  });
  if (!isSupported) return null;
  return (
    <>
      {signIn.error !== undefined && (
        <div className="notice error" role="alert">
          <strong>You are not logged in yet</strong>
          <p>{getPasskeyErrorMessage(signIn.error)}</p>
        </div>
      )}
      <button type="button" className="button brand passkey" onClick={signIn.run} disabled={signIn.isRunning}>
        <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
          <path fill="currentColor" d="M12.65 10A6 6 0 1 0 7 18a6 6 0 0 0 5.65-4H17v4h4v-4h2v-4H12.65zM7 14a2 2 0 1 1 0-4 2 2 0 0 1 0 4z" />
        </svg>
        {signIn.isRunning ? 'Waiting for your device ...' : 'Use a passkey'}
      </button>
    </>
  );
}
