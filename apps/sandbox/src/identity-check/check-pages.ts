/** Pages of the identity-check simulator for the user being checked. They are marked as a simulator, and nothing is uploaded. */
import type { FastifyReply } from 'fastify';
import { escapeHtml, sendHtml } from '../simulator/responses.ts';
import { MAX_TRIES } from '@portal/providers/identity-check/identity-check-wire.ts';
import type { CheckRecord } from './identity-records.ts';

const STYLE = `
  body { margin: 0; font: 18px/1.5 system-ui, sans-serif; color: #1b1b1f; background: #fff; }
  header { background: #24304f; color: #fff; padding: 0.75rem 1.25rem; font-weight: 700; }
  .notice { background: #fff7bf; border-bottom: 1px solid #594d00; padding: 0.5rem 1.25rem; font-size: 1rem; }
  main { max-width: 40rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; }
  h1 { font-size: 1.75rem; line-height: 1.25; }
  button, .button { display: block; width: 100%; box-sizing: border-box; font: inherit; text-align: left; margin-top: 0.75rem; padding: 0.6rem 1rem;
    color: #1b1b1f; background: #eef1f8; border: 2px solid #24304f; border-radius: 4px; cursor: pointer; text-decoration: none; }
  button.main { color: #fff; background: #24304f; }
  :focus-visible { outline: 3px solid #1b1b1f; outline-offset: 2px; }
  .error { border: 3px solid #b3261e; padding: 0.25rem 1rem; }
`;

function sendPage(reply: FastifyReply, status: number, title: string, main: string): FastifyReply {
  const body = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)} – identity sandbox</title><style>${STYLE}</style></head>
<body>
<header>Identity check – sandbox simulator</header>
<aside class="notice" aria-label="Simulator">This is not a real identity provider. It is a simulator on this computer. Don’t show real documents.</aside>
<main><h1>${escapeHtml(title)}</h1>
${main}
</main>
</body>
</html>
`;
  // The page's URL is secret, so it must not reach caches or the Referer header.
  return sendHtml(reply, status, body, { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY' });
}

/** `status` is 422 after a failed attempt. */
export function showCheck(reply: FastifyReply, check: CheckRecord, action: string, status: 200 | 422 = 200): FastifyReply {
  if (check.status !== 'pending') return showCompleted(reply, check);
  const remaining = MAX_TRIES - check.tries;
  const problem =
    check.tries === 0
      ? ''
      : `<div class="error" role="alert"><p>We couldn’t read the photo of your document. You have ${remaining} ${remaining === 1 ? 'try' : 'tries'} left.</p></div>`;
  return sendPage(
    reply,
    status,
    'Verify your identity',
    `${problem}
<p>We need to check that you’re <strong>${escapeHtml(check.full_name)}</strong>. A real provider would now photograph your passport or driving licence and your face.
Here you choose how that goes.</p>
<form method="post" action="${escapeHtml(action)}">
<button class="main" name="outcome" value="fine">My documents are fine</button>
<button name="outcome" value="other_birth_date">They’re fine, and I was born in another month than Companies House has</button>
<button name="outcome" value="no_birth_date">They’re fine, and show no date of birth</button>
<button name="outcome" value="blurred">The photo is blurred</button>
<button name="outcome" value="another_person">The document shows another person</button>
<button name="outcome" value="doubtful">The document needs a manual review</button>
<button name="outcome" value="not_now">Not now</button>
</form>`,
  );
}

/** A finished check only offers a link back to the portal. */
function showCompleted(reply: FastifyReply, check: CheckRecord): FastifyReply {
  const message = check.status === 'expired' ? 'It was started more than seven days ago.' : 'You don’t need to do anything else here.';
  return sendPage(
    reply,
    check.status === 'expired' ? 410 : 200,
    check.status === 'expired' ? 'This check has expired' : 'This check is finished',
    `<p>${message}</p><p><a class="button" href="${escapeHtml(buildReturnUrl(check))}">Go back</a></p>`,
  );
}

export function showUnknownCheck(reply: FastifyReply): FastifyReply {
  return sendPage(reply, 404, 'Check not found', '<p>The address is incomplete, or the sandbox was reset. Go back and start again.</p>');
}

/** Returns the return URL. It doesn't contain the result, because anyone could change it. */
export function buildReturnUrl({ return_url, id }: CheckRecord): string {
  const url = new URL(return_url);
  url.searchParams.set('check_id', id);
  return url.href;
}
