import { Page } from '../pieces/page.tsx'

export const ConversationsView = () => <Page title="Conversations">{null}</Page>
