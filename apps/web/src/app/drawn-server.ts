/** What is drawn while the app is built; the server fills the brand's name into the result as into every page. */
export { drawPages } from '../landing/landing-server.tsx';
export { drawLogin } from '../login/login-server.tsx';
export { tokenStyles } from '../core/token-styles.ts';
export { drawFirstPaints } from './first-paint.tsx';
