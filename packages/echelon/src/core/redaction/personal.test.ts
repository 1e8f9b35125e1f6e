import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redactText } from './redaction.ts'

const FOUND: readonly (readonly [text: string, left: string])[] = [
  ["write to o'neill_7@example.org.", 'write to [redacted:email].'],
  ['https://example.org/?to=ann%40example.org&n=1', 'https://example.org/?to=[redacted:email]&n=1'],
  ['ann@b\u00fccher.example', '[redacted:email]'],
  ['de89370400440532013000', '[redacted:iban]'],
  ['DE89-3704-0044-0532-0130-00', '[redacted:iban]'],
  ['4111.1111.1111.1111', '[redacted:card]'],
  ['4111\u00a01111\u00a01111\u00a01111', '[redacted:card]'],
  // public addresses; addresses of this machine or a private network stay
  ['from 203.0.113.9:52144', 'from [redacted:ip]:52144'],
  ['https://203.0.113.9/x, root@198.51.100.7', 'https://[redacted:ip]/x, root@[redacted:ip]'],
  ['2001:0db8:85a3:0000:0000:8a2e:0370:7334', '[redacted:ip]'],
  ['[2001:db8::1]:443 and 2001:db8::/48', '[[redacted:ip]]:443 and [redacted:ip]/48'],
  // complete dates that are labeled as dates of birth
  ['born on 12 March 1984', 'born on [redacted:birth-date]'],
  ['born in Graz on the 12th of March, 1984', 'born in Graz on the [redacted:birth-date]'],
  ['DOB: 03/12/1984', 'DOB: [redacted:birth-date]'],
  ['date of birth is 1984-03-12', 'date of birth is [redacted:birth-date]'],
  ['Geboren am 12.03.1984', 'Geboren am [redacted:birth-date]'],
  // labeled document and account numbers
  ['passport number is C01X00T47', 'passport number is [redacted:id-number]'],
  ['Personalausweis Nr. L01X00T471', 'Personalausweis Nr. [redacted:id-number]'],
  ["driver's license: D1234567", "driver's license: [redacted:id-number]"],
  ['Steuer-ID 12 345 678 901', 'Steuer-ID [redacted:id-number]'],
  ['account number 12345678', 'account number [redacted:id-number]'],
  ['SSN: 078 05 1120', 'SSN: [redacted:ssn]'],
  // two forms of postal addresses
  ['at 221B Baker Street, London.', 'at [redacted:address].'],
  ['12 Old Mill Rd, Apt 4, Springfield, IL 62704', '[redacted:address]'],
  ['Musterstra\u00dfe 5a, 10115 Berlin', '[redacted:address]'],
  ['Hauptstr. 12', '[redacted:address]'],
]

const INNOCENT = [
  '127.0.0.1, 10.0.0.1, 172.16.0.1, 192.168.1.10, 169.254.0.1, 0.0.0.0, 255.255.255.0',
  '1.2.3.4, section 2.3.4.5, version 10.12.3.44, v1.12.3.44, Chrome/120.0.60.99',
  '::1, fe80::1, 12:34:56, 2025:09:08, 20:15',
  'September 8, 2025; 2025-09-08; 08.09.2025; 8/9/25; the year 1984',
  'born in 1984; my birthday is on May 5; the day I was born',
  'passport photos cost 12; an insurance of 12000; account balance 12345.67',
  '5 Wall Street banks; Wall Street; 12 Sesame Street episodes; 3 Main dishes',
  'Ausweg 3 ist kein Weg 5',
  'US0378331005, DE0007164600, GB0002634946, AAPL, BRK.B',
  '18! = 6402373705728000, 2^52 = 4503599627370496, 2^51 = 2251799813685248',
  'a@b, user@localhost, 20%40, 5 @ 20',
]

test('[DD-11] [R19.2] personal data is hidden by its format or by its label', () => {
  for (const [text, left] of FOUND) assert.equal(redactText(text), left)
})

test('dates, versions, private addresses, securities identifiers and amounts are kept', () => {
  for (const text of INNOCENT) assert.equal(redactText(text), text)
})
