/** The layout of HMRC's browser pages in the simulator: plain, usable by keyboard, and clearly distinguishable from HMRC's pages. */
import type { FastifyReply } from 'fastify';
import { escapeHtml, sendHtml } from '../simulator/responses.ts';

const STYLE = `
  body { margin: 0; font: 18px/1.5 system-ui, sans-serif; color: #0b0c0c; background: #fff; }
  header { background: #0b0c0c; color: #fff; padding: 0.75rem 1.25rem; font-weight: 700; }
  .notice { background: #fff7bf; border-bottom: 1px solid #594d00; padding: 0.5rem 1.25rem; font-size: 1rem; }
  main { max-width: 40rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; }
  h1 { font-size: 1.75rem; line-height: 1.25; }
  label { display: block; font-weight: 700; margin-top: 1rem; }
  input { font: inherit; padding: 0.4rem; border: 2px solid #0b0c0c; width: 100%; max-width: 22rem; box-sizing: border-box; }
  button, .button { display: inline-block; font: inherit; font-weight: 700; margin: 1rem 0.5rem 0 0; padding: 0.5rem 1rem; color: #fff;
    background: #00703c; border: 2px solid transparent; cursor: pointer; text-decoration: none; }
  button.secondary { background: #f3f2f1; color: #0b0c0c; border-color: #505a5f; }
  :focus-visible { outline: 3px solid #0b0c0c; box-shadow: 0 0 0 6px #ffdd00; }
  .error { border: 3px solid #d4351c; padding: 0.75rem 1rem; }
  .users { list-style: none; padding: 0; } .users button { margin-top: 0.5rem; width: 100%; text-align: left; }
  dt { font-weight: 700; } dd { margin: 0 0 0.75rem; }
`;

/** Sends a complete page. `main` is HTML with its text already escaped. */
export function sendPage(reply: FastifyReply, status: number, title: string, main: string): FastifyReply {
  const body = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)} – HMRC sandbox</title><link rel="icon" href="data:,"><style>${STYLE}</style></head>
<body>
<header>HM Revenue &amp; Customs – sandbox simulator</header>
<aside class="notice" aria-label="Simulator">This is not HMRC. It is a simulator on this computer. Don’t enter real details.</aside>
<main><h1>${escapeHtml(title)}</h1>
${main}
</main>
</body>
</html>
`;
  return sendHtml(reply, status, body, { 'cache-control': 'no-store', 'x-frame-options': 'DENY' });
}
