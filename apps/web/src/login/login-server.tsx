/** Prerenders the login page for both of its URLs. */
import { renderToString } from 'react-dom/server';
import { SANDBOX_PLACEHOLDERS } from '../ui/sandbox-notice.tsx';
import { LoginPage } from './login-page.tsx';

export type RenderedLoginPage = { readonly file: string; readonly markup: string };

export function renderLoginPages(): RenderedLoginPage[] {
  return [false, true].map((isV2) => ({
    file: isV2 ? 'login-v2.html' : 'login.html',
    markup: renderToString(<LoginPage brand="%PORTAL_BRAND%" sandbox={SANDBOX_PLACEHOLDERS} isV2={isV2} />),
  }));
}
