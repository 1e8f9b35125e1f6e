import { fileURLToPath } from 'node:url'
import { Resvg, type ResvgRenderOptions } from '@resvg/resvg-js'
import { ToolError } from 'echelon/internal/tool'

type Font = NonNullable<ResvgRenderOptions['font']>

const FILES = ['400Regular/Inter_400Regular.ttf', '600SemiBold/Inter_600SemiBold.ttf']

/** The font files of `@expo-google-fonts/inter` in the weights that a plot uses. */
export const interFiles = (): readonly string[] =>
  FILES.map((file) => fileURLToPath(import.meta.resolve(`@expo-google-fonts/inter/${file}`)))

/**
 * Uses only these font files, so that a plot looks the same on every machine. Draws a test letter
 * first, since the renderer silently omits text when it cannot read a font.
 * @throws ToolError TOOL_ERROR when no text would be drawn
 */
export function readableFont(files: readonly string[]): Font {
  const font = { loadSystemFonts: false, fontFiles: [...files], defaultFontFamily: 'Inter' }
  const letter =
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">' +
    '<text x="4" y="32" font-family="Inter" font-size="32">x</text></svg>'
  if (new Resvg(letter, { font }).getBBox() === undefined) {
    throw new ToolError(
      'TOOL_ERROR',
      'the font Inter cannot be read, so the plot would have no text; run: npm install @expo-google-fonts/inter',
      { fault: 'setup' },
    )
  }
  return font
}
