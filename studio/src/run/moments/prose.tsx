import { Anchor, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import classes from './prose.module.css'

/** Longer texts are cut until they are opened. */
const MOST_LINES = 10
const MOST_CHARACTERS = 900

const isLong = (text: string): boolean =>
  text.length > MOST_CHARACTERS || text.split('\n', MOST_LINES + 1).length > MOST_LINES

/** Text from a model, a tool or a person. It is never rendered as markup. */
export function Prose({ children }: { readonly children: string }) {
  const [isOpen, { toggle }] = useDisclosure()
  const canOpen = isLong(children)
  return (
    <>
      <Text className={classes['prose']} {...(canOpen && !isOpen && { lineClamp: MOST_LINES })}>
        {children}
      </Text>
      {canOpen && (
        <Anchor component="button" type="button" size="sm" onClick={toggle} aria-expanded={isOpen}>
          {isOpen ? 'Show less' : 'Show all'}
        </Anchor>
      )}
    </>
  )
}
