/**
 * The same five clients as other products export them. These products publish no fixed layout: the column names are those of their import
 * templates and help pages, and the formats (title lines, semicolons, old encodings, several sheets, dates) those that practices send.
 */
import { date, utf16, utf8, windows1252, xlsx } from './encode-export.ts';

export type ProductExport = {
  readonly product: string;
  readonly fileName: string;
  readonly bytes: Uint8Array;
  /** A person must look at the columns or the sheets before the rows are read. */
  readonly needsPerson: boolean;
  /** Names as the product writes them, in file order. */
  readonly names: readonly string[];
};

const NAMES = ['Harlow Joinery Ltd', 'Moss & Fern LLP', 'Ann Reed', 'Zoë O’Neill', 'The Quayside Café Partnership'] as const;
const [HARLOW, MOSS, ANN, ZOE, QUAYSIDE] = NAMES;
const plain = (text: string): string => text.replace('’', "'");
const PLAIN_NAMES = NAMES.map(plain);

const EXPORTS: readonly (Omit<ProductExport, 'needsPerson'> & { readonly needsPerson?: false })[] = [
  {
    product: 'TaxDome',
    fileName: 'accounts.csv',
    names: NAMES,
    bytes: utf8(
      'Account Name,Account Type,Tags,Linked Contacts,Main Contact Email,Phone,UTR,VAT Number,Company Number,Year End,Postcode',
      `${HARLOW},Company,"VIP, Monthly",Carl Harlow,carl@harlow.example,0113 496 0101,2122334455,GB980780684,00445790,31/03/2026,LS1 4DY`,
      `${MOSS},Company,,Fern Moss,fern@moss.example; office@moss.example,,,,OC301234,30/09/2026,YO1 7HH`,
      `${ANN},Individual,SA,Ann Reed,ann@reed.example,07700 900123,2234567890,,,,BS1 5TR`,
      `${ZOE},Individual,SA,Zoë O’Neill,zoe@oneill.example,,,,,,`,
      `${QUAYSIDE},Other,,Tom Quay,tom@quayside.example,,,,,,`,
    ),
  },
  {
    product: 'BrightManager',
    fileName: 'BrightManager Client Export.xlsx',
    names: NAMES,
    bytes: xlsx({
      name: 'Clients',
      rows: [
        [
          'Client Manager',
          'Client Name',
          'Client Type',
          'Company Number',
          'Year End',
          'Company UTR',
          'VAT Number',
          'Employer PAYE Ref',
          'Accounts Office Ref',
          'Main Contact First Name',
          'Main Contact Last Name',
          'Main Contact Email',
          'Personal UTR Number',
          'NI Number',
        ],
        [
          'Priya Oakes',
          HARLOW,
          'Private Limited Company',
          445790,
          date(46112),
          2122334455,
          980780684,
          '123/AB456',
          '123PF00045678',
          'Carl',
          'Harlow',
          'carl@harlow.example',
          2234567890,
          'AB123456C',
        ],
        [
          'Priya Oakes',
          MOSS,
          'Limited Liability Partnership',
          'OC301234',
          date(46295, 2),
          undefined,
          undefined,
          undefined,
          undefined,
          'Fern',
          'Moss',
          'fern@moss.example',
        ],
        [
          'Tom Vale',
          ANN,
          'Sole Trader',
          undefined,
          undefined,
          undefined,
          undefined,
          undefined,
          undefined,
          'Ann',
          'Reed',
          'ann@reed.example',
          2234567890,
          'AB123456C',
        ],
        [
          'Tom Vale',
          ZOE,
          'Individual',
          undefined,
          undefined,
          undefined,
          undefined,
          undefined,
          undefined,
          'Zoë',
          'O’Neill',
          'zoe@oneill.example',
          undefined,
          'AB 12 34 57 C',
        ],
        [
          'Tom Vale',
          QUAYSIDE,
          'Partnership',
          undefined,
          date(46112),
          2344556677,
          undefined,
          undefined,
          undefined,
          'Tom',
          'Quay',
          'tom@quayside.example',
        ],
      ],
    }),
  },
  {
    product: 'Senta',
    fileName: 'senta-clients.csv',
    names: PLAIN_NAMES,
    bytes: utf8(
      'Client name,Client type,Client state,Client manager,Company details: Company number,Company details: UTR,VAT details: VAT number,Accounts: Year end,Address: Postcode,Contact: Name,Contact: Email',
      ...[
        `${HARLOW},Limited company,Client,Priya Oakes,00445790,21223 34455,980 7806 84,31 March,LS1 4DY,Carl Harlow,carl@harlow.example`,
        `${MOSS},LLP,Client,Priya Oakes,OC301234,,,30 September,YO1 7HH,Fern Moss,fern@moss.example`,
        `${ANN},Sole trader,Client,Tom Vale,,2234567890,,5 April,BS1 5TR,Ann Reed,ann@reed.example`,
        `${ZOE},Individual,Prospect,Tom Vale,,,,,,Zoë O’Neill,zoe@oneill.example`,
        `${QUAYSIDE},Partnership,Client,Tom Vale,,2344556677,,31 March,,Tom Quay,tom@quayside.example`,
      ].map(plain),
    ),
  },
  {
    product: 'Karbon',
    fileName: 'Karbon contacts.xlsx',
    names: NAMES,
    bytes: xlsx(
      { name: 'Read me', rows: [['Exported from Karbon on 21 November 2026'], ['One row for each contact card']] },
      {
        name: 'Contacts',
        rows: [
          [
            'Key',
            'Full Name',
            'Contact Type',
            'Client Owner',
            'Email Address',
            'Phone Number',
            'Registration Number',
            'UTR',
            'Financial Year End',
            'Postcode',
          ],
          [
            '3kTz',
            HARLOW,
            'Organization',
            'Priya Oakes',
            'carl@harlow.example',
            '0113 496 0101',
            '00445790',
            '2122334455',
            '31-Mar',
            'LS1 4DY',
          ],
          ['4LpQ', MOSS, 'Organization', 'Priya Oakes', 'fern@moss.example', undefined, 'OC301234', undefined, '30-Sep', 'YO1 7HH'],
          ['9XcV', ANN, 'Person', 'Tom Vale', 'ann@reed.example', '07700 900123', undefined, '2234567890', undefined, 'BS1 5TR'],
          ['7BnM', ZOE, 'Person', 'Tom Vale', 'zoe@oneill.example'],
          ['8AsD', QUAYSIDE, 'Organization', 'Tom Vale', 'tom@quayside.example', undefined, undefined, '2344556677', '31-Mar'],
        ],
      },
    ),
  },
  {
    product: 'Xero HQ',
    fileName: 'Xero HQ client list.csv',
    names: NAMES,
    bytes: utf8(
      'Client Name,Business structure,Client groups,First name,Last name,Email,Phone,Company number,UTR,VAT number,Year end',
      `${HARLOW},Company,Joiners,Carl,Harlow,carl@harlow.example,0113 496 0101,00445790,2122334455,980780684,31/03`,
      `${MOSS},LLP,,Fern,Moss,fern@moss.example,,OC301234,,,30/09`,
      `,Individual,,Ann,Reed,ann@reed.example,,,2234567890,,05/04`,
      `,Individual,,Zoë,O’Neill,zoe@oneill.example,,,,,`,
      `${QUAYSIDE},Partnership,,Tom,Quay,tom@quayside.example,,,2344556677,,31/03`,
    ),
  },
  {
    product: 'FreeAgent',
    fileName: 'freeagent-clients.csv',
    names: NAMES,
    bytes: utf8(
      'Client Name,Business Type,Company Registration Number,Sales Tax Registration Number,UTR,Accounting Year End On,Contact Email,Postcode,Subscription',
      `${HARLOW},UK Limited Company,00445790,GB980780684,2122334455,2026-03-31,carl@harlow.example,LS1 4DY,Active`,
      `${MOSS},Limited Liability Partnership,OC301234,,,2026-09-30,fern@moss.example,YO1 7HH,Active`,
      `${ANN},Sole Trader,,,2234567890,2026-04-05,ann@reed.example,BS1 5TR,Active`,
      `${ZOE},Sole Trader,,,,2026-04-05,zoe@oneill.example,,Trial`,
      `${QUAYSIDE},Partnership,,,2344556677,2026-03-31,tom@quayside.example,,Active`,
    ),
  },
  {
    product: 'QuickBooks Online Accountant',
    fileName: 'Clients.csv',
    names: NAMES,
    bytes: utf8(
      'Oakline Accountants,,,,,',
      'Client list,,,,,',
      'Exported 21/11/2026,,,,,',
      ',,,,,',
      'Client Name,Company Name,Email Address,Phone Number,Billing ZIP,Bookkeeping',
      `${HARLOW},${HARLOW},carl@harlow.example,0113 496 0101,LS1 4DY,QuickBooks Plus`,
      `${MOSS},${MOSS},fern@moss.example,,YO1 7HH,QuickBooks Plus`,
      `${ANN},,ann@reed.example,07700 900123,BS1 5TR,Self-Employed`,
      `${ZOE},,zoe@oneill.example,,,`,
      `${QUAYSIDE},${QUAYSIDE},tom@quayside.example,,,`,
    ),
  },
  {
    product: 'Capium',
    fileName: 'Capium clients.csv',
    names: NAMES,
    bytes: windows1252(
      'Client Code;Client Name;Client Type;Registration No;UTR;VAT Number;PAYE Reference;Accounts Office Ref;NI Number;Year End;Email;Mobile;Postcode',
      `HAR01;${HARLOW};Limited Company;445790;2122334455;GB980780684;123/AB456;123PF00045678;;31/03/2026;carl@harlow.example;07700 900101;LS1 4DY`,
      `MOS01;${MOSS};LLP;OC301234;;;;;;30/09/2026;fern@moss.example;;YO1 7HH`,
      `REE01;${ANN};Sole Trader;;2234567890;;;;AB123456C;05/04/2026;ann@reed.example;07700 900123;BS1 5TR`,
      `ONE01;${ZOE};Individual;;;;;;;;zoe@oneill.example;;`,
      `QUA01;${QUAYSIDE};Partnership;;2344556677;;;;;31/03/2026;tom@quayside.example;;`,
    ),
  },
  {
    product: 'IRIS',
    fileName: 'IRIS client list.txt',
    names: NAMES,
    bytes: utf16(
      'Client Id\tName\tEntity Type\tCompany Reg No\tTax Reference\tVAT Reg No\tEmployers Reference\tAccounting Period End\tE-mail\tPost Code',
      `HARLOW\t${HARLOW}\tLimited Company\t00445790\t2122334455\t980780684\t123/AB456\t31 Mar 2026\tcarl@harlow.example\tLS1 4DY`,
      `MOSS\t${MOSS}\tLLP\tOC301234\t\t\t\t30 Sep 2026\tfern@moss.example\tYO1 7HH`,
      `REED\t${ANN}\tSole Trader\t\t2234567890\t\t\t05 Apr 2026\tann@reed.example\tBS1 5TR`,
      `ONEILL\t${ZOE}\tPersonal\t\t\t\t\t\tzoe@oneill.example\t`,
      `QUAY\t${QUAYSIDE}\tPartnership\t\t2344556677\t\t\t31 Mar 2026\ttom@quayside.example\t`,
    ),
  },
  {
    product: 'TaxCalc',
    fileName: 'TaxCalc Practice Manager.csv',
    needsPerson: false,
    names: NAMES,
    bytes: utf8(
      'Client Name,Client Type,Company Registration Number,UTR,NINO,VAT Registration Number,VAT Registration Date,Accounting Year End,Email Address,Telephone,Postcode',
      `${HARLOW},Limited Company,00445790,2122334455,,980780684,43586,46112,carl@harlow.example,0113 496 0101,LS1 4DY`,
      `${MOSS},LLP,OC301234,,,,,46295,fern@moss.example,,YO1 7HH`,
      `${ANN},Individual,,2234567890,AB123456C,,,,ann@reed.example,07700 900123,BS1 5TR`,
      `${ZOE},Individual,,,,,,,zoe@oneill.example,,`,
      `${QUAYSIDE},Partnership,,2344556677,,,,46112,tom@quayside.example,,`,
    ),
  },
  {
    product: 'Nomi',
    fileName: 'Nomi.csv',
    names: NAMES,
    bytes: utf8(
      'Client Code,Client Name,Client Type,Company Reg No,UTR No,VAT Reg No,PAYE Ref,Accounts Office Ref,Year End Date,NI Number,Email,Mobile',
      `HAR01,${HARLOW},Limited Company,00445790,2122334455,980780684,123/AB456,123PF00045678,31.03.2026,,carl@harlow.example,07700 900101`,
      `MOS01,${MOSS},LLP,OC301234,,,,,30.09.2026,,fern@moss.example,`,
      `REE01,${ANN},Sole Trader,,2234567890,,,,05.04.2026,AB123456C,ann@reed.example,07700 900123`,
      `ONE01,${ZOE},Individual,,,,,,,,zoe@oneill.example,`,
      `QUA01,${QUAYSIDE},Partnership,,2344556677,,,,31.03.2026,,tom@quayside.example,`,
      'Total clients: 5,,,,,,,,,,,',
    ),
  },
];

/** Most exports have columns that only a person can assess. */
export const PRODUCT_EXPORTS: readonly ProductExport[] = EXPORTS.map((one) => ({ needsPerson: true, ...one }));
