import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import * as fc from 'fast-check'
import { allowedExtension, nameWithDigest, plainFileName, sanitizeFileName } from './file-name.ts'

const DIGEST = 'a'.repeat(64)

suite('a file name', () => {
  test('[DD-23] keeps A-Z a-z 0-9 . _ - and replaces the rest with _, then .. with _', () => {
    const cases: readonly (readonly [string, string])[] = [
      ['plot.png', 'plot.png'],
      ['My plot (1).png', 'My_plot__1_.png'],
      ['../../etc/passwd.png', '____etc_passwd.png'],
      ['..\\..\\boot.png', '____boot.png'],
      ['/abs/olute.png', '_abs_olute.png'],
      ['...png', '_.png'],
      ['....png', '__png'],
      ['über\u{1f4c8}.png', '_ber_.png'],
      ['nul\0byte.png', 'nul_byte.png'],
      ['two\nlines.png', 'two_lines.png'],
      ['C:stream.png', 'C_stream.png'],
      ['', ''],
    ]
    for (const [given, kept] of cases) assert.equal(sanitizeFileName(given), kept)
  })

  test('[DD-23] is safe once sanitized, and sanitizing again changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const kept = sanitizeFileName(name)
        assert.match(kept, /^[A-Za-z0-9._-]*$/)
        assert.ok(!kept.includes('..'))
        assert.equal(sanitizeFileName(kept), kept)
        if (kept !== '.') assert.equal(plainFileName(kept), kept)
      }),
    )
  })

  test('[DD-23] must not be a path if it is not sanitized', () => {
    const paths = ['../a.png', '/a.png', 'a/b.png', 'a\\b.png', 'c:a.png', 'a\0.png', '..', '.']
    for (const path of paths) {
      assert.throws(() => plainFileName(path), { code: 'PATH_TRAVERSAL' }, path)
    }
    assert.equal(plainFileName('Kurs für Mai.png'), 'Kurs für Mai.png')
  })

  test('[DD-23] needs an allowed extension, its last one, in any case', () => {
    const allowed = ['.png', '.txt']
    assert.equal(allowedExtension('a.b.PNG', allowed), '.png')
    for (const name of ['', 'png', '.png', 'a.png.exe', 'a.', 'a.png ', 'a.jpg']) {
      assert.throws(() => allowedExtension(name, allowed), { code: 'INVALID_FILE_TYPE' }, name)
    }
  })

  test('includes a content digest and fits every file system', () => {
    assert.equal(nameWithDigest('plot.png', '.png', DIGEST), 'plot-aaaaaaaaaaaa.png')
    assert.equal(nameWithDigest('CON.a.png', '.png', DIGEST), '_CON.a-aaaaaaaaaaaa.png')
    assert.equal(nameWithDigest('console.png', '.png', DIGEST), 'console-aaaaaaaaaaaa.png')
    const long = nameWithDigest(`${'\u{1f4c8}ü'.repeat(400)}.png`, '.png', DIGEST)
    assert.ok(Buffer.byteLength(long) < 255)
    assert.ok(long.isWellFormed())
  })
})
