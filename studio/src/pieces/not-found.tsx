import { Text } from '@mantine/core'
import { Page } from './page.tsx'
import { TextLink } from './links.tsx'

/** An address without a view. */
export const NotFound = () => (
  <Page title="No such page">
    <Text>
      Nothing is at this address. <TextLink to="/">Go home</TextLink>
    </Text>
  </Page>
)
