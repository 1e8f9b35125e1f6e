import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { after, suite, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { artifactFolder } from 'echelon/runtime'
import type { Artifact } from '../../packages/echelon/src/core/tool/artifact.ts'
import { tried } from './tried.ts'

const folder = mkdtempSync(join(tmpdir(), 'echelon-images-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Larger than the default limit of files, so that only the decoder protects. */
const LIMITS = {
  maxArtifactMb: 64,
  allowedExtensions: ['.png', '.jpg', '.gif', '.webp', '.bmp', '.svg'],
}
const keep = (name: string, content: Uint8Array): Promise<Artifact> =>
  artifactFolder({ folder, ...LIMITS }).write(name, content)

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function chunk(type: string, data: Uint8Array, length = data.length): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

interface Header {
  readonly depth?: number
  readonly color?: number
  readonly interlace?: number
}

function header(width: number, height: number, more: Header = {}): Buffer {
  const { depth = 8, color = 0, interlace = 0 } = more
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  size.set([depth, color, 0, 0, interlace], 8)
  return chunk('IHDR', size)
}

const END = chunk('IEND', Buffer.alloc(0))
const png = (...chunks: readonly Uint8Array[]): Buffer => Buffer.concat([SIGNATURE, ...chunks])
const pixels = (bytes: number): Buffer => chunk('IDAT', deflateSync(Buffer.alloc(bytes)))

/** 256 MB that compress to less than a hundredth. */
const BOMB = deflateSync(Buffer.alloc(256 * 1024 * 1024), { level: 1 })
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

interface Hostile {
  readonly name: string
  readonly file: () => Uint8Array
  /** Whether it is measured, as a valid image. */
  readonly isImage?: true
  /** Whether it must be. */
  readonly isMeasured?: true
}

const PNGS: readonly Hostile[] = [
  {
    name: 'a second size behind a small one',
    file: () => png(header(1, 1), header(30_000, 30_000), pixels(1000), END),
  },
  {
    name: 'a second size behind the pixels',
    file: () => png(header(1, 1), pixels(2), header(40_000, 40_000), END),
  },
  {
    name: 'a second size that fits, of another kind',
    file: () =>
      png(header(1, 1), header(3999, 3999, { depth: 16, color: 6, interlace: 1 }), pixels(99), END),
  },
  {
    name: 'a size in the second chunk',
    file: () => png(chunk('tEXt', Buffer.alloc(30)), header(30_000, 30_000), pixels(9), END),
  },
  { name: 'more pixels than may be', file: () => png(header(65_535, 65_535), pixels(9), END) },
  { name: 'the largest size there is', file: () => png(header(0xffffffff, 0xffffffff), END) },
  { name: 'no width', file: () => png(header(0, 10), pixels(10), END) },
  {
    name: 'a bomb of pixels',
    file: () => png(header(4, 4), chunk('IDAT', BOMB), END),
    isImage: true,
  },
  {
    name: 'a bomb of interlaced pixels',
    file: () => png(header(4, 4, { interlace: 1 }), chunk('IDAT', BOMB), END),
    isImage: true,
  },
  {
    name: 'a bomb in a text',
    file: () =>
      png(header(1, 1), chunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), BOMB])), pixels(2), END),
    isImage: true,
  },
  {
    name: 'a bomb in a color profile',
    file: () =>
      png(header(1, 1), chunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), BOMB])), pixels(2), END),
    isImage: true,
  },
  {
    name: 'the largest that is decoded, interlaced and deep',
    file: () =>
      png(
        header(4000, 4000, { depth: 16, color: 6, interlace: 1 }),
        pixels(4000 * 8 * 4000 + 8000),
        END,
      ),
    isImage: true,
  },
  {
    name: 'the largest that is decoded',
    file: () => png(header(4000, 4000, { color: 6 }), pixels((4000 * 4 + 1) * 4000), END),
    isImage: true,
    isMeasured: true,
  },
  {
    name: 'a thousand frames',
    file: () =>
      png(
        header(10, 10),
        chunk('acTL', Buffer.concat([u32(1000), u32(0)])),
        ...Array.from({ length: 1000 }, (_, n) =>
          chunk('fcTL', Buffer.concat([u32(n), u32(30_000), u32(30_000), Buffer.alloc(14)])),
        ),
        pixels(110),
        END,
      ),
    isImage: true,
  },
  {
    name: '20,000 chunks of no pixels',
    file: () =>
      png(
        header(10, 10),
        ...Array.from({ length: 20_000 }, () => chunk('IDAT', Buffer.alloc(0))),
        pixels(110),
        END,
      ),
    isImage: true,
  },
  {
    name: 'a chunk that says it has 4 GB',
    file: () => png(header(10, 10), chunk('IDAT', Buffer.alloc(10), 0xffffffff), END),
  },
  {
    name: 'a first chunk that says it has 4 GB',
    file: () => Buffer.concat([SIGNATURE, u32(0xffffffff), header(9, 9).subarray(4), END]),
  },
  { name: 'nothing but a signature', file: () => SIGNATURE },
  { name: 'a cut size', file: () => png(header(10, 10)).subarray(0, 20) },
  { name: 'cut pixels', file: () => png(header(10, 10), pixels(110)).subarray(0, 50) },
  { name: 'no end', file: () => png(header(10, 10), pixels(110)), isImage: true },
  {
    name: 'a palette without colors',
    file: () => png(header(10, 10, { color: 3 }), pixels(110), END),
    isImage: true,
  },
]

const words = (...parts: readonly (string | readonly number[])[]): Buffer =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part),
    ),
  )

/** Formats that are not decoded here and are stored unchanged. */
const OTHERS: readonly (Hostile & { readonly ending: string })[] = [
  {
    name: 'a JPEG of several sizes',
    ending: 'jpg',
    file: () =>
      words(
        [0xff, 0xd8],
        [0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0],
        [0xff, 0xc0, 0, 11, 8, 0xff, 0xff, 0xff, 0xff, 1, 1, 0x11, 0],
        [0xff, 0xd9],
      ),
  },
  {
    name: 'a progressive JPEG of many scans',
    ending: 'jpg',
    file: () =>
      words(
        [0xff, 0xd8, 0xff, 0xc2, 0, 11, 8, 0xff, 0xff, 0xff, 0xff, 1, 1, 0x11, 0],
        ...Array.from({ length: 10_000 }, () => [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]),
      ),
  },
  {
    name: 'a GIF with a huge screen',
    ending: 'gif',
    file: () => words('GIF89a', [0xff, 0xff, 0xff, 0xff, 0, 0, 0], ';'),
  },
  {
    name: 'a WebP with a huge canvas',
    ending: 'webp',
    file: () =>
      words(
        'RIFF\xff\xff\xff\xffWEBPVP8X',
        [10, 0, 0, 0, 2, 0, 0, 0],
        [255, 255, 255, 255, 255, 255],
      ),
  },
  {
    name: 'an SVG that refers to itself',
    ending: 'svg',
    file: () => words('<svg xmlns="http://www.w3.org/2000/svg"><use href="#a" id="a"/></svg>'),
  },
]

const LONGEST_MS = 7000
const MOST_MB = 400
/** This process copies a file of some megabytes and may wait for a busy machine. */
const LONGEST_STAND_MS = 2000

suite('give an image that takes a decoder apart', () => {
  test('each is measured in a separate process within limits, or not at all', async (t) => {
    await keep('warm.png', png(header(1, 1), pixels(2), END))
    const files = PNGS.map((one) => ({ ...one, content: one.file() }))
    const before = process.memoryUsage.rss()
    const delay = monitorEventLoopDelay({ resolution: 10 })
    delay.enable()
    await tried(t, {
      cases: files,
      named: ({ name }) => name,
      async hold({ content, isImage, isMeasured }) {
        const began = performance.now()
        const { image, mediaType, bytes } = await keep('a.png', content)
        const took = performance.now() - began
        assert.equal(bytes, content.length)
        assert.ok(mediaType === 'image/png' || image === undefined)
        if (isMeasured === true) assert.deepEqual(image, { width: 4000, height: 4000, ink: 0 })
        if (isImage !== true) assert.equal(image, undefined)
        assert.ok((image?.width ?? 0) * (image?.height ?? 0) <= 16_000_000)
        assert.ok(took < LONGEST_MS, `took ${took} ms`)
      },
    })
    delay.disable()
    const grown = (process.memoryUsage.rss() - before) / 2 ** 20
    const stood = delay.max / 1e6
    t.diagnostic(`stood still for ${Math.round(stood)} ms, grew by ${Math.round(grown)} MB`)
    assert.ok(grown < MOST_MB, `grew by ${grown} MB`)
    assert.ok(stood < LONGEST_STAND_MS, `stood still for ${stood} ms`)
  })

  test('other formats are not decoded', async (t) => {
    await tried(t, {
      cases: OTHERS,
      named: ({ name }) => name,
      async hold({ ending, file }) {
        const began = performance.now()
        const { image } = await keep(`a.${ending}`, file())
        assert.equal(image, undefined)
        assert.ok(performance.now() - began < 10_000)
      },
    })
  })

  test('images can still be measured after all of them', async () => {
    const { image } = await keep('a.png', png(header(4, 2), pixels(10), END))
    assert.deepEqual(image, { width: 4, height: 2, ink: 0 })
  })
})
