import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redactText } from './redaction.ts'

/** Numbers from ranges that regulators reserve for films and examples, for countries that have one. */
const NUMBERS = [
  '+1 415 555 0132',
  '+1-415-555-0132',
  '+1 (415) 555-0132',
  '+14155550132',
  '(415) 555-0132',
  '415-555-0132',
  '415.555.0132',
  '+49 171 3920012',
  '+49 30 23125 456',
  '+49 (0)30 23125-456',
  '+4917139200123',
  '+44 7700 900123',
  '+44 (0)20 7946 0958',
  '+7 495 123 45 67',
  '+91 98765 43210',
  '+34 612 345 678',
  '0044 20 7946 0958',
  '0049171392001',
  '0171 3920012',
  '0171 392 00 12',
  '0171/3920012',
  '0171-3920012',
  '030 123456 78',
  '030 23125-456',
  '030 / 23125-456',
  '(030) 23125456',
  '020 7946 0958',
  '07700 900123',
  '07700900123',
  '01632 960123',
  '06 39 98 12 34',
  '06.39.98.12.34',
  '06 12345678',
  '(02) 5550 1984',
  '0491 570 156',
  '0171\u00a03920012',
  '06\u202f39\u202f98\u202f12\u202f34',
]

/** Any format after a word that announces a phone number. */
const LABELED = [
  'phone: 415 555 0132',
  'Phone number is 415 555 0132',
  'tel. 612 34 56 78',
  'Telefon 5550132',
  'mobile 98765 43210',
  'Handy: 1713920012',
  'fax no. 555 0132',
  'call me at 555-0132',
  'reach us on 415 555 0132',
  'WhatsApp: 4155550132',
]

const ROWS_AND_AMOUNTS = [
  '12 345 678',
  '1 250 750',
  '15 23 44 + 2',
  '100 200 300 400',
  '250 300 1200',
  '415 555 2671',
  '10 20 30 40 50 60 70 80 90',
  '01 02 03 04 05',
  '05 12 23 34 45',
  '05 12 23 34 45 46',
  '001 002 003',
  '0900 1130 1300 1745',
  '0101101010',
  '0110 1001 0110',
  '0.1234567890',
  '1,0123456789',
  '3.0123456789',
  '0x0123456789',
  '+250000',
  '+12 345 678',
  'a rise of +1 234 567 890',
  '15 +491711234567',
  '(3)+491711234567',
  '2+491711234567',
  'UTC+1 2025-09-08 12:34',
  '08.09.2025',
  '08-09-2025 09-10-2025',
  '08 2025 1250 1300',
  '0830-0915',
  '100-200-300',
  '1.250.750 and 12.345.678',
  'phone: 799, laptop: 1299',
  'a phone costs 799.50',
  'CUSIP 037833100',
]

test('[R19.2] phone numbers in the formats of many countries are hidden', () => {
  for (const number of NUMBERS) {
    assert.equal(redactText(number), '[redacted:phone]')
    assert.equal(redactText(`call ${number}.`), 'call [redacted:phone].', number)
    assert.equal(redactText(`{"note":"${number}"}`), '{"note":"[redacted:phone]"}', number)
    assert.equal(redactText(`a,${number},b`), 'a,[redacted:phone],b', number)
  }
})

test('[R19.2] a word that announces a phone number hides it in any format', () => {
  for (const text of LABELED) {
    const left = redactText(text)
    assert.match(left, /\[redacted:phone\]$/, text)
    assert.doesNotMatch(left, /\d/, text)
  }
})

test('rows of numbers, amounts, times, dates and bits are not phone numbers', () => {
  for (const text of ROWS_AND_AMOUNTS) {
    assert.equal(redactText(text), text)
    assert.equal(redactText(`What is ${text}?`), `What is ${text}?`)
  }
})
