import { Spoiler, Text } from '@mantine/core'
import classes from './prose.module.css'

/** Longer texts can be opened. */
const TALL_PX = 220

/** What a model, a tool or a person wrote. It is text, whatever is in it. */
export const Prose = ({ children }: { readonly children: string }) => (
  <Spoiler
    maxHeight={TALL_PX}
    showLabel="Show all"
    hideLabel="Show less"
    mt={4}
    attributes={{ content: { role: 'group' } }}
  >
    <Text className={classes['prose']}>{children}</Text>
  </Spoiler>
)
