/** The symbol of our logo, 24 by 24 px. Shared by the app and the landing page. */
export function LogoMark() {
  return (
    <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
      <rect width="24" height="24" rx="7" fill="#7440F5" />
      <path d="M4 14.5c2.7 0 2.7-3 5.3-3s2.7 3 5.4 3 2.6-3 5.3-3" fill="none" stroke="#fff" strokeWidth="2.2" strokeLinecap="round" />
    </svg>
  );
}
