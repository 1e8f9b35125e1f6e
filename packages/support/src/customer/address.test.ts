import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isAddressLike, withoutAround } from './address-text.ts'
import { patchedAddress } from './merged-address.ts'

const OLD = '541 Oak Hollow Dr, San Antonio, TX 78216'
const patched = (cases: Readonly<Record<string, string | null>>, old = OLD): void => {
  const found = Object.keys(cases).map((text) => [text, patchedAddress(old, text)])
  assert.deepEqual(Object.fromEntries(found), cases)
}

describe('an address', () => {
  test('[S-13] begins at its number, at "c/o", or with a name just before its number', () => {
    for (const text of [
      '12 Elm St. Apt 4, Dallas, TX 75201',
      'PO Box 12, Salem, OR 97301',
      'c/o my sister, 5 Main St, Salem',
      'Hauptstraße 5, 10115 Berlin',
      'Unit 5, 12 Main St, Salem',
      '5 main st, salem',
    ]) {
      assert.ok(isAddressLike(text), text)
    }
  })

  test('[S-13] is neither a sentence nor a unit alone', () => {
    for (const text of [
      "the office but I'm at home. Could you send it to 310 Oak St",
      'be 2 weeks before I know',
      'floor 3 but send it to 5 Main St',
      'it should be in 3 days',
      'apartment 4',
      'the other house',
    ]) {
      assert.ok(!isAddressLike(text), text)
    }
  })

  test('[S-13] is without a sentence around it, and keeps a name and a part of the house', () => {
    const plain = '8 Elm Court, Omaha, NE 68104'
    for (const before of ['no, just ', 'to keep the things, only the street. ', 'it is now ']) {
      assert.equal(withoutAround(`${before}${plain}`), plain, before)
    }
    for (const behind of [
      '. Use it for O-12402 as well',
      ', for the two of them',
      ' and nothing else',
    ]) {
      assert.equal(withoutAround(`${plain}${behind}`), plain, behind)
    }
    assert.equal(withoutAround(`${plain}, Apt 4`), `${plain}, Apt 4`)
    for (const name of ['Daniel Reyes, ', 'c/o my sister, ', 'Apt 4, ']) {
      assert.equal(withoutAround(`${name}${plain}`), `${name}${plain}`)
    }
  })

  test('[S-13] is without what is said behind it', () => {
    for (const behind of [
      " please, I'm traveling",
      ". That's my office",
      ' because we moved',
      ', not 6 Main St',
      " I'll be there",
    ]) {
      assert.equal(
        withoutAround(`5 Main St, Salem, OR 97301${behind}`),
        '5 Main St, Salem, OR 97301',
      )
    }
    const plain = '12 Elm St. Apt 4, Dallas, TX 75201'
    assert.equal(withoutAround(plain), plain)
  })
})

describe('a part of an address', () => {
  test('[S-13] replaces that part', () => {
    patched({
      'oops the zip is 78215, not 78216': '541 Oak Hollow Dr, San Antonio, TX 78215',
      'the zip code should be 78215': '541 Oak Hollow Dr, San Antonio, TX 78215',
      'sorry, 78215': '541 Oak Hollow Dr, San Antonio, TX 78215',
      '514, not 541': '514 Oak Hollow Dr, San Antonio, TX 78216',
      "not 541, it's 514": '514 Oak Hollow Dr, San Antonio, TX 78216',
      'no, apartment 4': '541 Oak Hollow Dr, apartment 4, San Antonio, TX 78216',
      'please add apt 3B': '541 Oak Hollow Dr, apt 3B, San Antonio, TX 78216',
      "and it's unit 7, I forgot that": '541 Oak Hollow Dr, unit 7, San Antonio, TX 78216',
    })
    patched(
      {
        'sorry, apt 5': '1 Elm St, apt 5, Waco, TX 76701',
        'apt 5, not 4': '1 Elm St, Apt 5, Waco, TX 76701',
      },
      '1 Elm St, Apt 4, Waco, TX 76701',
    )
  })

  test('[S-13] is not guessed', () => {
    patched({
      'is the zip 78215?': null,
      'the zip is wrong': null,
      'the zip is not 78215': null,
      '78216': null,
      yes: null,
      '514, not 999': null,
      'it costs 78215 dollars or so': null,
      '6 Main St, Boston, MA 02110': null,
    })
    // Two places may be meant.
    patched({ '5, not 4': null }, '4 Elm St, Apt 4, Waco, TX 76701')
    patched({ 'the zip is 78215': null }, 'Hauptstraße 5, Berlin')
  })
})
