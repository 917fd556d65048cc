/** What the build prerenders. The server fills in the brand's name. */
export { drawPages } from '../landing/landing-server.tsx';
export { drawLogin } from '../login/login-server.tsx';
export { tokenStyles } from '../core/token-styles.ts';
export { drawFirstPaints } from './first-paint.tsx';
