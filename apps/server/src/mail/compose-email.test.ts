import { describe, expect, it } from 'vitest';
import { composeEmail } from './compose-email.ts';
import type { EmailContent } from './email-content.ts';

const SITE = { brand: 'Tidewater', publicUrl: 'https://portal.example', contact: { email: 'support@portal.example' } };
const CONTENT: EmailContent = {
  subject: 'Tess Exports Ltd: VAT return filed',
  preheader: 'HMRC owes you £4,021.00',
  heading: 'HMRC has your VAT return',
  paragraphs: ['The return is filed.', 'HMRC usually repays within 30 days.'],
  facts: [
    ['HMRC owes you', '£4,021.00'],
    ['Period', '1 July 2026 to 30 September 2026'],
  ],
  action: { label: 'View your return', path: '/v2/instant-vat/dashboard/vat-return?company_id=c1&obligation_id=o1' },
  notes: ['Keep this email.'],
  reason: 'You’re receiving this because you manage Tess Exports Ltd on Tidewater.',
};
const URL_IN_TEXT = 'https://portal.example/portal/v2/instant-vat/dashboard/vat-return?company_id=c1&obligation_id=o1';
const compose = (changes: Partial<EmailContent> = {}) => composeEmail(SITE, 'tess@exports.example', { ...CONTENT, ...changes });

describe('an email', () => {
  it('has a complete plain-text part with the link on its own line', () => {
    expect(compose().text).toBe(`HMRC has your VAT return

The return is filed.

HMRC usually repays within 30 days.

HMRC owes you: £4,021.00
Period: 1 July 2026 to 30 September 2026

View your return:
${URL_IN_TEXT}

Keep this email.

-- 
Tidewater
You’re receiving this because you manage Tess Exports Ltd on Tidewater.
Need help? Email support@portal.example
`);
  });

  it('says the same in HTML, with one button as its only link', () => {
    const { html } = compose();
    expect(html.match(/<a [^>]*href="[^"]*"/g)).toEqual([expect.stringContaining(`href="${URL_IN_TEXT.replace('&', '&amp;')}"`)]);
    expect(html.match(/https?:/g)).toHaveLength(1);
    const facts = ['HMRC owes you', '£4,021.00', 'Period', '1&nbsp;July&nbsp;2026 to 30&nbsp;September&nbsp;2026'];
    const expectedTexts = [CONTENT.heading, ...CONTENT.paragraphs, ...facts, 'Keep this email.', CONTENT.reason, 'Tidewater'];
    for (const text of expectedTexts) expect(html).toContain(`>${text}<`);
    expect(html).toContain(`opacity:0;mso-hide:all">${CONTENT.preheader}`);
  });

  it('has no link without an action', () => {
    const { action: _action, ...content } = CONTENT;
    const { html, text } = composeEmail(SITE, 'tess@exports.example', content);
    expect(html).not.toContain('<a ');
    expect(text).not.toContain('://');
  });

  it('escapes every value', () => {
    const hostileText = `<script>alert("1")</script> & 'x'`;
    const { html } = compose({
      subject: hostileText,
      preheader: hostileText,
      heading: hostileText,
      paragraphs: [hostileText],
      facts: [[hostileText, hostileText]],
      action: { label: hostileText, path: '/home?a="><script>' },
      notes: [hostileText],
      document: hostileText,
      reason: hostileText,
    });
    expect(html).not.toContain('<script');
    expect(html).not.toContain('alert("1")');
    expect(html.match(/&lt;script&gt;alert\(&quot;1&quot;\)&lt;\/script&gt; &amp; &#39;x&#39;/g)).toHaveLength(10);
    expect(html).toContain('href="https://portal.example/portal/home?a=&quot;&gt;&lt;script&gt;"');
  });

  it('keeps line breaks of a message and separates the paragraphs of a document', () => {
    const { html, text } = compose({ paragraphs: ['one\ntwo'], document: '1. Sold\n2. Paid' });
    expect(html).toContain('one<br>two');
    expect(html).toContain('1. Sold<br><br>2. Paid');
    expect(text).toContain('1. Sold\n\n2. Paid');
  });

  it('is in British English, follows the light or dark scheme, and loads nothing', () => {
    const { html } = compose();
    expect(html).toContain('<html lang="en-GB"');
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain('<meta name="supported-color-schemes" content="light dark">');
    expect(html).toContain('prefers-color-scheme:dark');
    expect(html).not.toMatch(/<img|<link|<script|url\(/);
  });

  it('offers no help by email to our own mailbox', () => {
    expect(composeEmail(SITE, SITE.contact.email, CONTENT).text).not.toContain('Need help?');
  });
});
