import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Page } from './page.tsx'

/** An address without a view. */
export const NotFound = () => (
  <Page title="No such page">
    <Text>
      Nothing is at this address.{' '}
      <Anchor component={Link} to="/">
        Go home
      </Anchor>
    </Text>
  </Page>
)
