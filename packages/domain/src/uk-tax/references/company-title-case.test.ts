import { describe, expect, it } from 'vitest';
import { toCompanyTitleCase } from './company-title-case.ts';

describe('the title case of a company name', () => {
  it.each([
    ['BRIGHTWELL EXPORTS LTD', 'Brightwell Exports Ltd'],
    ['BRIGHTWELL EXPORTS LIMITED', 'Brightwell Exports Limited'],
    ['TESCO PLC', 'Tesco PLC'],
    ['OAKLINE ACCOUNTING LLP', 'Oakline Accounting LLP'],
    ['HARBOUR (UK) LTD.', 'Harbour (UK) Ltd.'],
    ['THE BANK OF THE WEST LTD', 'The Bank of the West Ltd'],
    ['A TO Z CARS LTD', 'A to Z Cars Ltd'],
    ['ONCE UPON A TIME LTD', 'Once upon a Time Ltd'],
    ["O'NEILL & SONS LTD", "O'Neill & Sons Ltd"],
    ['D’ARCY WINES LTD', 'D’Arcy Wines Ltd'],
    ["JOE'S CAFE LTD", "Joe's Cafe Ltd"],
    ["MCDONALD'S RESTAURANTS LIMITED", "McDonald's Restaurants Limited"],
    ['MACHINE TOOLS LTD', 'Machine Tools Ltd'],
    ['MACDONALD HOTELS LTD', 'Macdonald Hotels Ltd'],
    ['J A SMITH LTD', 'J A Smith Ltd'],
    ['J.P. MORGAN LTD', 'J.P. Morgan Ltd'],
    ['JCB SALES LTD', 'JCB Sales Ltd'],
    ['HSBC UK BANK PLC', 'HSBC UK Bank PLC'],
    ['ST MARY DR ROSE LTD', 'St Mary Dr Rose Ltd'],
    ['M&S AND SMITH&SONS LTD', 'M&S and Smith&Sons Ltd'],
    ['BLUE IT SOLUTIONS LTD', 'Blue IT Solutions Ltd'],
    ['LOVE IT BAKERY LTD', 'Love It Bakery Ltd'],
    ['STRATFORD-UPON-AVON TAXIS LTD', 'Stratford-upon-Avon Taxis Ltd'],
    ['ROLLS-ROYCE LTD', 'Rolls-Royce Ltd'],
    ['AMAZON.CO.UK LTD', 'Amazon.co.uk Ltd'],
    ['21ST CENTURY 3D PRINT LTD', '21st Century 3D Print Ltd'],
    ['CAFÉ ÉCLAIR LTD', 'Café Éclair Ltd'],
    ['HENRY VIII INNS LTD', 'Henry VIII Inns Ltd'],
  ])('%s is written %s', (name, text) => {
    expect(toCompanyTitleCase(name)).toBe(text);
  });

  it.each(['eBay (UK) Limited', 'Oak and Ash', ''])('a name that is not in capitals stays as it is: %j', (name) => {
    expect(toCompanyTitleCase(name)).toBe(name);
  });
});
