import {
  Anchor,
  createTheme,
  defaultVariantColorsResolver,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  MantineProvider,
  Modal,
  Paper,
  Table,
} from '@mantine/core'
import type { ReactNode } from 'react'
import { styleNonce } from './style-nonce.ts'

/** The color of Echelon: what can be clicked. */
const ECHELON: MantineColorsTuple = [
  '#eef1ff',
  '#dbe1ff',
  '#b4beff',
  '#8b9afc',
  '#6a7cf8',
  '#5368f4',
  '#4657e8',
  '#3b49c9',
  '#3340a8',
  '#2a3688',
]

const theme = createTheme({
  colors: { echelon: ECHELON },
  primaryColor: 'echelon',
  primaryShade: { light: 7, dark: 7 },
  autoContrast: true,
  luminanceThreshold: 0.3,
  defaultRadius: 'md',
  cursorType: 'pointer',
  components: {
    // A table that is wider than its place is scrolled by keyboard too.
    TableScrollContainer: Table.ScrollContainer.extend({
      defaultProps: { scrollAreaProps: { viewportProps: { tabIndex: 0 } } },
    }),
    // The cross that closes a dialog is a picture, so it needs a name; and only the page has a banner.
    Modal: Modal.extend({
      defaultProps: {
        closeButtonProps: { 'aria-label': 'Close' },
        attributes: { header: { role: 'presentation' } },
      },
    }),
    // In a text a color alone does not show a link.
    Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }),
    // Cards stand out from the page.
    Paper: Paper.extend({
      styles: {
        root: { background: 'light-dark(var(--mantine-color-white), var(--mantine-color-dark-6))' },
      },
    }),
  },
  respectReducedMotion: true,
  // The usual text on a tinted ground is too pale to be read easily.
  variantColorResolver(input) {
    const usual = defaultVariantColorsResolver(input)
    if (input.variant !== 'light') return usual
    return { ...usual, color: `color-mix(in srgb, ${usual.color}, light-dark(#000, #fff) 30%)` }
  },
  fontFamily:
    'Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", "DejaVu Sans", sans-serif',
  fontFamilyMonospace:
    'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace',
})

/** Text beside the main text is dimmed, but stays easy to read. */
const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5a6169',
    '--mantine-color-body': '#fbfbfd',
    '--mantine-color-red-text': 'var(--mantine-color-red-9)',
    '--mantine-color-teal-text': '#067352',
    '--mantine-color-orange-text': '#a34a00',
  },
  dark: {
    '--mantine-color-dimmed': '#a9adb3',
    '--mantine-color-anchor': ECHELON[3],
    '--mantine-color-text': '#e3e5e8',
  },
})

/** Everything inside looks like Echelon, light or dark as the system or the user says. */
export const Themed = ({ children }: { readonly children: ReactNode }) => (
  <MantineProvider
    theme={theme}
    defaultColorScheme="auto"
    getStyleNonce={styleNonce}
    cssVariablesResolver={variables}
  >
    {children}
  </MantineProvider>
)
