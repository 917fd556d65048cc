/** The pages that the build prerenders. The server fills in the brand's name. */
export { renderLandingPages } from '../landing/landing-server.tsx';
export { renderLoginPages } from '../login/login-server.tsx';
export { renderTokenStyles as tokenStyles } from '../core/token-styles.ts';
export { renderFirstPaints } from './first-paint.tsx';
