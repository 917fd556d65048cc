/** Mailbox with every message the portal sent: pages for users, JSON for scripts. */
import type { FastifyRequest } from 'fastify';
import { searchParams } from '../simulator/request.ts';
import { findLinks, type Mailbox, type SandboxEmail } from './mailbox.ts';
import type { TwilioControls } from '../twilio/twilio-simulator.ts';
import { getPathParam, sendError, type ControlRoute } from '../control/control-call.ts';
import { h, type Markup } from '../control/markup.ts';
import { sendPage } from '../control/page.ts';
import { formatTime } from '../control/format.ts';

/** Maximum number of messages on the page; the JSON lists all of them. */
const MAX_LISTED = 200;

export function mailboxControlRoutes(mailbox: Mailbox, smsControls: TwilioControls): ControlRoute[] {
  const readRecipient = (request: FastifyRequest): string | undefined => searchParams(request).get('to')?.trim() || undefined;
  return [
    {
      method: 'GET',
      url: '/mailbox.json',
      summary: 'Emails, newest first; ?to=ADDRESS for one recipient.',
      responseExample: '{"messages": [{"id", "to", "from", "reply_to", "subject", "text", "html", "links", "received_at"}]}',
      handler: (request, reply) => reply.send({ messages: mailbox.list(readRecipient(request)) }),
    },
    {
      method: 'GET',
      url: '/texts.json',
      summary: 'Text messages with their codes, newest first; ?to=%2B447911123456 for one number.',
      responseExample: '{"messages": [{"id", "to", "text", "code", "sent_at"}]}',
      handler: (request, reply) => reply.send({ messages: smsControls.listMessages(readRecipient(request)) }),
    },
    {
      method: 'GET',
      url: '/mailbox',
      handler: (request, reply) => sendPage(reply, 'Mailbox', listPage(mailbox, smsControls, readRecipient(request))),
    },
    {
      method: 'GET',
      url: '/mailbox/:id',
      handler: (request, reply) => {
        const email = mailbox.find(getPathParam(request, 'id'));
        return email
          ? sendPage(reply, email.subject || '(no subject)', renderMailPage(email))
          : sendError(reply, 404, 'id', 'Message not found.');
      },
    },
  ];
}

function listPage(mailbox: Mailbox, smsControls: TwilioControls, to: string | undefined): Markup {
  const emails = mailbox.list(to);
  const recipients = [...new Set(mailbox.list().map((email) => email.to))].sort();
  const items = emails
    .slice(0, MAX_LISTED)
    .map(
      (email) =>
        h`<li><a href="/mailbox/${email.id}">${email.subject || '(no subject)'}</a><p class="soft">To ${email.to}, ${formatTime(email.received_at)}</p></li>`,
    );
  const empty =
    to === undefined ? 'No emails yet. All the portal’s emails arrive here. Nothing leaves this computer.' : `No emails to ${to} yet.`;
  return h`<p class="lead">Emails that the portal has sent, newest first.</p>
<form class="row" method="get"><p class="field"><label for="to">Recipient</label><input id="to" name="to" type="email" list="people" value="${to ?? ''}" autocomplete="off"><datalist id="people">${recipients.map((person) => h`<option value="${person}"></option>`)}</datalist></p><p><button class="plain">Show</button></p></form>
${to !== undefined && h`<p><a href="/mailbox">Show all emails</a></p>`}
${items.length > 0 ? h`<ul class="mails">${items}</ul>` : h`<p class="empty">${empty}</p>`}
${emails.length > MAX_LISTED && h`<p class="soft">Showing the newest ${MAX_LISTED} of ${emails.length}.</p>`}
${to === undefined && renderTextMessages(smsControls)}`;
}

function renderTextMessages(smsControls: TwilioControls): Markup {
  const items = smsControls
    .listMessages()
    .slice(0, MAX_LISTED)
    .map(({ to, text, sent_at }) => h`<li>${text}<p class="soft">To ${to}, ${formatTime(sent_at)}</p></li>`);
  return h`<h2>Text messages</h2>${items.length > 0 ? h`<ul class="mails">${items}</ul>` : h`<p class="empty">No text messages yet.</p>`}`;
}

function renderMailPage(email: SandboxEmail): Markup {
  const textBlock = h`<div class="text">${linkify(email.text || '(no text)')}</div>`;
  return h`<dl><dt>To</dt><dd><a href="/mailbox?to=${encodeURIComponent(email.to)}">${email.to}</a></dd><dt>From</dt><dd>${email.from}</dd><dt>Received</dt><dd>${formatTime(email.received_at)}</dd></dl>
${
  email.html === null
    ? textBlock
    : h`<iframe title="Message" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${toFrameDocument(email.html)}"></iframe>
<details><summary>Plain text</summary>${textBlock}</details>`
}
${email.links.length > 0 && h`<h2>Links in this message</h2><ul class="links">${email.links.map((link) => h`<li>${linkTo(link)}</li>`)}</ul>`}
<p><a href="/mailbox">All emails</a></p>`;
}

/**
 * Returns the message for its frame: links open in a new tab, and nothing is loaded or run, as in a mail client. The frame's sandbox
 * attribute also forbids scripts and forms.
 */
function toFrameDocument(html: string): string {
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'"><base target="_blank">`;
  // Inserted before any other element, so that the policy covers all of them, but after the doctype, which must come first.
  const doctype = /^\s*<!doctype[^>]*>/i.exec(html)?.[0] ?? '';
  return `${doctype}${policy}${html.slice(doctype.length)}`;
}

function linkTo(link: string): Markup {
  return h`<a href="${link}" rel="noreferrer">${link}</a>`;
}

/** Turns http and https URLs in the text into links. */
function linkify(text: string): Markup[] {
  const parts: Markup[] = [];
  let remainingText = text;
  for (const link of findLinks(text)) {
    for (let index = remainingText.indexOf(link); index >= 0; index = remainingText.indexOf(link)) {
      parts.push(h`${remainingText.slice(0, index)}`, linkTo(link));
      remainingText = remainingText.slice(index + link.length);
      break;
    }
  }
  return [...parts, h`${remainingText}`];
}
