/** Layout of the sign-in simulators' pages: usable by keyboard and on small screens, and clearly different from the real provider's. */
import type { FastifyReply } from 'fastify';
import { escapeHtml, sendHtml } from '../simulator/responses.ts';
import type { ProviderProfile } from './provider-profile.ts';

function buildStyle(accent: string): string {
  return `
  body { margin: 0; font: 17px/1.5 system-ui, sans-serif; color: #1c1f23; background: #f4f5f7; }
  header { background: ${accent}; color: #fff; padding: 0.75rem 1.25rem; font-weight: 700; }
  .notice { background: #fff7bf; border-bottom: 1px solid #594d00; padding: 0.5rem 1.25rem; font-size: 1rem; }
  main { max-width: 28rem; margin: 1.5rem auto 3rem; padding: 1rem 1.25rem 1.75rem; background: #fff; border: 1px solid #c3c8cf; border-radius: 8px; box-sizing: border-box; overflow-wrap: anywhere; }
  h1 { font-size: 1.5rem; line-height: 1.25; margin: 0.5rem 0 1rem; } h2 { font-size: 1.15rem; margin: 1.75rem 0 0; }
  label, legend { display: block; font-weight: 600; margin-top: 0.9rem; padding: 0; }
  .choice { display: flex; gap: 0.6rem; align-items: start; font-weight: 400; margin-top: 0.5rem; }
  .choice input { width: 1.25rem; height: 1.25rem; flex: none; margin: 0.15rem 0 0; accent-color: ${accent}; }
  input { font: inherit; padding: 0.5rem; border: 1px solid #5b6470; border-radius: 4px; width: 100%; box-sizing: border-box; }
  fieldset { border: 0; margin: 0; padding: 0; }
  button { font: inherit; font-weight: 600; min-height: 44px; margin: 1rem 0.5rem 0 0; padding: 0.5rem 1.1rem; color: #fff; background: ${accent}; border: 1px solid ${accent}; border-radius: 4px; cursor: pointer; }
  button.secondary { background: #fff; color: #1c1f23; border-color: #5b6470; }
  .people { list-style: none; padding: 0; margin: 0; } .people button { width: 100%; margin: 0.5rem 0 0; text-align: left; }
  .people span { display: block; font-weight: 400; color: #4a525c; }
  a { color: #0b57a4; }
  :focus-visible { outline: 3px solid #1c1f23; outline-offset: 2px; box-shadow: 0 0 0 5px #ffdd00; }
  .error { border: 2px solid #b3261e; border-radius: 4px; padding: 0.5rem 1rem; } .error p { margin: 0; }
  @media (max-width: 30rem) { main { margin: 0; border-width: 0 0 1px; border-radius: 0; } }
`;
}

/** Sends a complete page. `main` is HTML with its text already escaped. */
export function sendPage(
  reply: FastifyReply,
  { brand, accent }: ProviderProfile,
  { status, title, main }: { readonly status: number; readonly title: string; readonly main: string },
): FastifyReply {
  const name = escapeHtml(brand);
  const body = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)} – ${name} sandbox</title><link rel="icon" href="data:,"><style>${buildStyle(accent)}</style></head>
<body>
<header>${name} – sandbox simulator</header>
<aside class="notice" aria-label="Simulator">This is not ${name}. It is a simulator on this computer. Don’t enter real details.</aside>
<main><h1>${escapeHtml(title)}</h1>
${main}
</main>
</body>
</html>
`;
  return sendHtml(reply, status, body, { 'cache-control': 'no-store', 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' });
}
