/** Generated from the OpenAPI document by `npm run client:generate`: do not edit. */

export interface paths {
    "/auth/token-exchange": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange an API key for tokens
         * @description Failed exchanges are rate-limited by client address and by key.
         */
        post: operations["exchangeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renew the tokens
         * @description The refresh token is rotated: store the one returned. A used one presented again gets the same successor within 60 seconds, and for as long as no answer was delivered (it was lost, or a 503); otherwise, or once the successor has been used, it revokes its whole family.
         */
        post: operations["refreshToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the keys that verify tokens */
        get: operations["signingKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/identity-providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the identity providers that people sign in with
         * @description Empty where none is configured. One that can not be reached is left out.
         */
        get: operations["listIdentityProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/identity-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange an identity provider's code for a token
         * @description The second half of the authorization code flow with PKCE. Roles, organization and user come from the claims, by the rules of the configuration. Failed calls are rate-limited by client address.
         */
        post: operations["exchangeIdentityCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/identity-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a program's token of its platform for a token
         * @description For programs with a workload identity, such as a service account's token of Kubernetes: a JWT of a configured issuer, for the configured audience. Failed calls are rate-limited by client address.
         */
        post: operations["exchangeIdentityToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ingestion/memory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write turns
         * @description The turns can be recalled as soon as the answer arrives. Billed are the o200k tokens of what is stored: texts and observations of turns that are new and, if there are any, the metadata as compact JSON. Sending a turn again is a no-op: nothing is stored or billed twice, also when it has expired. Needs the role memory:write.
         */
        post: operations["ingest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ingestion/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of a write
         * @description Accepts either job id of an ingestion. Needs the role memory:write or memory:read.
         */
        get: operations["job"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/recall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find what was said
         * @description One ranking of turns, observations and entities, split by kind. The mode deep does more work and finds what a single pass misses. Needs the role memory:read.
         */
        post: operations["recall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/recalls/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what a recall answered
         * @description Of a recall with receipt: true, for 90 days: the same hits in the same order with their scores, and what its context and its timeline quote, with the confidence, the moment and the ranker. The words are read anew, and only those that the answer had; what was erased or hidden since is marked, and has none. A key sees receipts of recalls that it could make itself; all others are a 404. An entity is shown by a name that its turns say, while one of them is there. The question is erased with the session or the user that it searched; one over the whole organization with the user whose key asked it. Not billed. Needs the role memory:read.
         */
        get: operations["readReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/recalls/{id}/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say whether a hit was helpful
         * @description Of a turn or an observation of a recall with receipt: true, while its receipt can be read. The last verdict of a hit counts; the same again changes nothing. GET /recalls/{id} shows and counts them, and an export has them. A verdict is hidden, expires and is erased with its hit, of which nothing more can be said then (404). It changes no ranking. Not billed; 10,000 an organization and day (429). Needs the role memory:read.
         */
        post: operations["giveFeedback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memory/observations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List observations
         * @description What clients sent with turns and what extractors found in them, ordered by user, session and the turn's time. To page, repeat the call with next_cursor as cursor and the other parameters unchanged, until next_cursor is null. Each item comes exactly once, in order, whatever is written or erased in between. A page holds fewer items than its limit where their texts are long. A list with q is ranked anew for each page, so what is written or erased meanwhile may move an item to another page. Needs the role memory:read.
         */
        get: operations["listObservations"];
        put?: never;
        /**
         * Say something without a turn
         * @description Stores a sentence about a user and, with an attribute, what it says of a subject. It is found at once, and billed like an observation sent with a turn. Saying the same again in the same session is a no-op. Needs the role memory:write. Without memory:read too the answer is 201 with the id alone, whether or not there is such a thing.
         */
        post: operations["say"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memory/observations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Hide an observation
         * @description The same for one observation or fact, with what it was corrected to: the older value holds again. Its turn stays, and so does another turn's observation of the same words. Nothing is billed, and what was billed stays. The words are destroyed when their session is erased (DELETE /memory). Needs the role memory:curate. Without memory:read too the answer is 204, whether or not there is such a thing.
         */
        delete: operations["retractObservation"];
        options?: never;
        head?: never;
        /**
         * Correct an observation
         * @description Answers with the observation that supersedes it: of the same session, time and metadata, and billed like any other. From now on it holds instead of what it corrects, wherever and however often that was said by now; what was corrected stays in the lists and is marked. One that was corrected before is corrected as it stands by now. Needs the role memory:curate. Without memory:read too the answer is 200 with the id alone, whether or not there is such a thing.
         */
        patch: operations["correct"];
        trace?: never;
    };
    "/memory/turns/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a turn
         * @description One turn with its observations, the entities it mentions, and its position in the log. The id comes from active_fragment_ids or from a hit. Needs the role memory:read.
         */
        get: operations["readTurn"];
        put?: never;
        post?: never;
        /**
         * Hide a turn
         * @description Hides a turn, with its observations, their corrections and its mentions, from every answer, list, feed and export at once and for good: also as of moments before, and after a replay. The title of its session goes with it: give another one. Sent again, it stays hidden. Nothing is billed, and what was billed stays. The words are destroyed when their session is erased (DELETE /memory). Needs the role memory:curate. Without memory:read too the answer is 204, whether or not there is such a thing.
         */
        delete: operations["retractTurn"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memory/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a user
         * @description One user: the counts of the list, the names that were set as the user's own (PUT), and, apart from them, those that the user gave: after "my name is Ada", Ada is suggested, and nothing is renamed. Needs the role memory:read. A key that is strict for a session: 403.
         */
        get: operations["readUser"];
        /**
         * Set a user's own names
         * @description Says that the role user and these names are one subject, labelled by the first: facts that Ada says of herself and facts that the role user says are decided together, under one label, in lists and recalls. The names take the place of those set before; a name that is no longer listed stands apart again. It is kept like a correction of an entity: facts with as_of see the names set by then, and the user's erasure destroys them. Not billed: the organization has a number of titles and names a day (429). Needs the role memory:curate. A key that is strict for a session: 403. Without memory:read too the answer is 200 with the id alone, whether or not there is such a thing.
         */
        put: operations["nameUser"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memory/entities/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Correct an entity
         * @description Renames an entity, merges it with another one, or sets names of it apart: other names, or the same name where another person is meant. It is undone by a later correction: a merge by a split, a split by a merge, a label by another one. Sent again, it changes nothing. An alias's id stands for its entity. Of a user's corrections the last 1,000 count; a recall and facts with as_of see those recorded by then. They are kept for the whole user, so a key that is strict for one session may not call it. A name counts, and is exported, for as long as a turn says it that is neither hidden nor expired nor erased; the words of corrections are destroyed with the user's erasure. Not billed: the organization has a number of titles and names a day (429). Needs the role memory:curate. A key that is strict for a session: 403. Without memory:read too the answer is 200 with the id alone, whether or not there is such a thing.
         */
        patch: operations["correctEntity"];
        trace?: never;
    };
    "/memory/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Title a session
         * @description Gives a session a title, which lists show, or takes it away. It is taken away when a turn or an observation of the session is hidden, is gone when all of the session has expired, and is sealed with the session's own key and destroyed with it. Not billed: the organization has a number of titles and names a day (429). Needs the role memory:curate. Without memory:read too the answer is 200 with the id alone, whether or not there is such a thing.
         */
        patch: operations["titleSession"];
        trace?: never;
    };
    "/memory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Erase a user or a session
         * @description Destroys the keys that seal the scope, which makes its text unreadable in the log and in backups, and removes the scope from every answer. Name the scope in the body or in the query. Billed usage stays. An erasure cannot be undone; repeating it does no harm. Needs the role memory:erase.
         */
        delete: operations["erase"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow what is written
         * @description Server-sent events: the stored turns and observations that the token may see, then new ones as they are written. Each session comes in order, a turn before its observations. An event's id is a position: sent as Last-Event-ID, or else as after, it resumes the stream after that event, with no gap and no repeat. The data is a TurnEvent or an ObservationEvent. The stream ends when the token expires. Needs the role memory:read.
         */
        get: operations["feed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memory/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description The users that the token may see, ordered by name or by their last turn, with counts over all of their sessions. A user is listed from the first turn on; the counts follow within a moment. To page, repeat the call with next_cursor as cursor and the other parameters unchanged, until next_cursor is null. Each item comes exactly once, in order, whatever is written or erased in between. A page holds fewer items than its limit where their texts are long. A list with q is ranked anew for each page, so what is written or erased meanwhile may move an item to another page. Needs the role memory:read. A key that is strict for a session: 403.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memory/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sessions
         * @description Ordered by user and name, or by their last turn, with the times of the first and last turn. A session is listed from its first turn on; the counts follow within a moment. To page, repeat the call with next_cursor as cursor and the other parameters unchanged, until next_cursor is null. Each item comes exactly once, in order, whatever is written or erased in between. A page holds fewer items than its limit where their texts are long. A list with q is ranked anew for each page, so what is written or erased meanwhile may move an item to another page. Needs the role memory:read.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memory/turns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List turns
         * @description Ordered by user, session and time: with a session_id, the conversation as it was spoken; with order desc, from its end. An acknowledged turn is listed at once. To page, repeat the call with next_cursor as cursor and the other parameters unchanged, until next_cursor is null. Each item comes exactly once, in order, whatever is written or erased in between. A page holds fewer items than its limit where their texts are long. A list with q is ranked anew for each page, so what is written or erased meanwhile may move an item to another page. Needs the role memory:read.
         */
        get: operations["listTurns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memory/facts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what holds
         * @description What holds of a user and of the people and things they speak of: one value of an attribute that has one at a time, all of the others. It is decided when it is read, from everything that was said: the value that began last holds, equal values are one fact with all of their sources, and a denial ends one. With holds=ever its history. Ordered by attribute and subject; within, by when it began. To page, repeat the call with next_cursor as cursor and the other parameters unchanged, until next_cursor is null. Each item comes exactly once, in order, whatever is written or erased in between. A page holds fewer items than its limit where their texts are long. A list with q is ranked anew for each page, so what is written or erased meanwhile may move an item to another page. Needs the role memory:read.
         */
        get: operations["listFacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memory/entities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List entities
         * @description The people, places and things that extractors found, ordered by user and name. Each user has their own. To page, repeat the call with next_cursor as cursor and the other parameters unchanged, until next_cursor is null. Each item comes exactly once, in order, whatever is written or erased in between. A page holds fewer items than its limit where their texts are long. A list with q is ranked anew for each page, so what is written or erased meanwhile may move an item to another page. Needs the role memory:read.
         */
        get: operations["listEntities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memory/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count turns, facts and recalls by day
         * @description What was stored and asked on each UTC day: of the organization, or of one user. The recalls of a user are those that searched this user alone. Counts follow within a moment of what they count. An erasure, a retraction or an expiry takes nothing from the days before, as it takes nothing from bills; the turns, sessions and facts of a user that was erased are no longer found under the user id. Needs the role memory:read. A key that is strict for a session: 403.
         */
        get: operations["readStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the organization
         * @description Its events as JSON Lines: a header, the events as recorded, and a last line with their number. An export without that line is incomplete. With a filter: the writes whose metadata passes, their turns and what was extracted from them, and no recalls. Needs the role *. A strict key: 403.
         */
        get: operations["export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage/today": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Usage of the current UTC day
         * @description The sums are the organization's, as its caps are. With by they are split by user, session or key, and add up to the token: shares, other, erased and pending together are the sums. Needs the role usage:read. A strict key: 403.
         */
        get: operations["usageToday"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Usage of a calendar month in UTC
         * @description The sums are the organization's, as its caps are. With by they are split by user, session or key, and add up to the token: shares, other, erased and pending together are the sums. Needs the role usage:read. A strict key: 403.
         */
        get: operations["usageMonth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage/daily": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Usage of each UTC day of a month
         * @description The current month is listed up to today. The sums are the organization's, as its caps are. With by they are split by user, session or key, and add up to the token: shares, other, erased and pending together are the sums. Needs the role usage:read. A strict key: 403.
         */
        get: operations["usageDaily"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The signed statement of a month
         * @description What the month billed, for your records: signed by a key of /.well-known/jwks.json, and computed again from an export by turnstone statement verify. A statement can be made two hours after the end of its month in UTC, once the month is fully projected; until then, and when the month is no longer kept, the answer is 409. A month in the future is 422. Nothing that erases or hides words changes it. An import of events that were recorded in the month, and an event requeued from the dead letters, do; `iat` says when it was computed. Needs the role usage:read. A strict key: 403.
         */
        get: operations["usageStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/signup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an organization
         * @description The configuration may disable sign-up, and caps the organizations of the installation (403). One that has written nothing for some days (30, unless configured otherwise) is removed, and its id is not given again.
         */
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the key's organization, user and roles */
        get: operations["me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the organization's retention
         * @description How long what has no expiry of its own is kept.
         */
        get: operations["retention"];
        /**
         * Set the organization's retention
         * @description In force 24 hours after it was set; until then it can be replaced, and nothing has happened. From that moment on what has no expiry of its own, and was recorded longer ago, is in no answer. What has expired stays so, whatever is set later. What was billed stays billed. Needs the role *. A strict key: 403.
         */
        put: operations["setRetention"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/screening": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what is screened
         * @description Whether secrets are replaced in what the organization sends.
         */
        get: operations["screening"];
        /**
         * Set what is screened
         * @description With secrets, a placeholder such as (secret: card-number) takes the place of each key, token, password and card number in whatever is sent from now on: texts, observations, metadata, titles, names, questions. Nothing else of them is stored, counted, billed or given to a model. What was stored before stays. The rules: docs/reference/screening.md. Needs the role *. A strict key: 403.
         */
        put: operations["setScreening"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/deletion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the state of the organization's deletion */
        get: operations["deletion"];
        /**
         * Ask for the deletion of the organization
         * @description Changes nothing but this state. It can be confirmed a day later, within a week from then, and taken back until it is confirmed. Asking again while it is asked for postpones nothing. Needs the role *. A strict key: 403.
         */
        put: operations["askDeletion"];
        post?: never;
        /**
         * Take the deletion of the organization back
         * @description Until it is confirmed. Where nobody has asked for it, nothing changes. Needs the role *. A strict key: 403.
         */
        delete: operations["withdrawDeletion"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/deletion/confirmation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm the deletion of the organization
         * @description It can not be undone. From the answer on every key and token of the organization is refused (403), also that of this call, and everything that the organization stored is erased in the background. Billed usage and the audit log stay. Its id is not given again. 409: nobody has asked for it, it is too early, or too late. Needs the role *. A strict key: 403.
         */
        post: operations["confirmDeletion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description All of the organization's with *; of the caller's own user without. Needs the role keys:manage. A strict key: 403.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description An organization has at most as many keys as the configuration says (409, by default 1,000; expired ones don't count), and makes at most as many a day (429). A key for another user needs *. Needs the role keys:manage.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/api-keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate an API key
         * @description Makes a key with the rights of another one, its name, its end and its addresses; the former works for a grace period beside it, and then it is expired. Tokens of the former key end with it. A key with a role that the caller lacks is a 403, and so is one that works longer, or from other addresses, than the caller's own. Without *, keys of other users are a 404. A key that was rotated already is a 409; so is one beyond the organization's number of keys, of which a rotation may have one more. Makes count as keys made that day (429). Needs the role keys:manage.
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description Tokens issued for it are refused from then on. After 7 days, when the last one has expired, the key is unknown. A key with a role that the caller lacks is a 403. Without *, keys of other users are a 404. Needs the role keys:manage.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description All of the organization's with *; those bound to the caller's own user without. Needs the role keys:manage. A key that is strict for a session: 403.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description What is written from now on is sent to the address: one POST a message, signed as Standard Webhooks has it, at least once, in order within a session, retried for 24 hours. It has the rights of the key that creates it, and is paused when that key ends. An organization has at most ten (409). Needs the role keys:manage. A key that is strict for a session: 403.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description A message that is under way may still arrive. Without *, those of other users are a 404. Needs the role keys:manage. A key that is strict for a session: 403.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the last deliveries of a webhook
         * @description The last hundred attempts, newest first, without their words. Kept for a week at most. Needs the role keys:manage. A key that is strict for a session: 403.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/webhooks/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a webhook
         * @description It goes on from where it stopped, at once, with the rights of the caller's key, which must have those that its events need. One that isn't paused tries again at once. Needs the role keys:manage. A key that is strict for a session: 403.
         */
        post: operations["resumeWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the audit log
         * @description What was done with the organization, newest first, within a few seconds: keys made, first used and revoked, sign-ins, reads of exports, receipts, the feed and this log, erasures, corrections, names, retention, limits, calls of operators, and what was refused for lack of a right. Reads, refusals and calls that change nothing are one entry a key, action, target and hour. Entries hold ids and no words, and are kept for 400 days, also those of erased users. Needs the role audit:read. A strict key: 403.
         */
        get: operations["readAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Liveness of the process */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Readiness of the engines
         * @description Ready while this process can serve anything of what its role is for. A process that stops is not ready first, and goes on answering for a configured time.
         */
        get: operations["readiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics for Prometheus
         * @description May be on a port of its own or need a token of its own, as the service is configured.
         */
        get: operations["metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document */
        get: operations["openApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The documentation
         * @description Pages for people, and their index; /docs/reference/api shows this document as a page.
         */
        get: operations["docs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    message: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A message of a webhook
         * @description Signed as Standard Webhooks has it, with the secret of the webhook. Sent again, with the same webhook-id, until it is accepted.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    "webhook-id": string;
                    "webhook-timestamp": string;
                    "webhook-signature": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TurnMessage"] | components["schemas"]["FactMessage"] | components["schemas"]["ErasedMessage"] | components["schemas"]["QuotaMessage"];
                };
            };
            responses: {
                /** @description Gone: the webhook is paused. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Accepted. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        TokenExchange: {
            api_key: string;
        };
        Tokens: {
            /** @description RS256-signed JWT; valid for 24 hours. */
            access_token: string;
            /** @description JWT; valid for 7 days; store the one returned. */
            refresh_token: string;
            /** @enum {string} */
            token_type: "bearer";
            /** @description Lifetime of the access token in seconds. */
            expires_in: number;
        };
        TokenRefresh: {
            refresh_token: string;
        };
        Jwks: {
            keys: {
                kty: string;
                kid: string;
                use: string;
                alg: string;
                n: string;
                e: string;
            }[];
        };
        IdentityProviders: {
            providers: {
                id: string;
                name: string;
                /** @description Where a person signs in. Add redirect_uri, state, nonce, code_challenge and code_challenge_method=S256. */
                authorization_url: string;
            }[];
        };
        IdentityCode: {
            provider: string;
            code: string;
            code_verifier: string;
            redirect_uri: string;
            nonce: string;
            /** @description The parameter of this name, if the provider sent it along. */
            iss?: string;
        };
        IdentityToken: {
            /** @description RS256-signed JWT. */
            access_token: string;
            /** @enum {string} */
            token_type: "bearer";
            /** @description Its lifetime in seconds; then sign in again. */
            expires_in: number;
        };
        IdentityAssertion: {
            token: string;
        };
        Ingest: {
            scope: {
                /** @description Required, but has no effect: the organization is the token's. */
                org_id: string;
                /** @description End-user partition inside the organization. Default: the token's user. */
                user_id?: string;
                /** @description Conversation, channel or task. Default: the token's session_id claim; without one, ingestion writes to default-session and recall searches all sessions. */
                session_id?: string;
            };
            turns: {
                /** @description Who spoke: user, assistant, a speaker's name. */
                role: string;
                text: string;
                /**
                 * Format: date-time
                 * @description RFC 3339 with T, t or a space. An offset is converted to UTC and kept as utc_offset: days are counted in it. No offset means UTC. Resolution: one millisecond.
                 */
                timestamp: string;
                /** @description What the client knows about this turn; recallable as soon as the turn is, and billed with it. */
                observations?: (string | {
                    text: string;
                    /** @description Whose attribute it is: the label of a person or thing. Default: who spoke. */
                    subject?: string;
                    /** @description Such as home, employer, partner, allergy: docs/reference/attributes.md has the table. Others are kept alike. */
                    attribute?: string;
                    /** @description The object that the attribute is of, where it has one: a budget about a laptop. */
                    about?: string;
                    /**
                     * @description What it is.
                     * @example Porto
                     */
                    value?: string;
                    /**
                     * Format: date-time
                     * @description From when it holds. Default: nothing is said of it.
                     */
                    valid_from?: string;
                    /**
                     * @description It no longer holds. Without a value: whatever held.
                     * @default false
                     */
                    ended?: boolean;
                    /**
                     * @description How it was said. holds: it is so, whatever began when; changed: it became so, at valid_from or just now; plan: it will be so from valid_from on; was: it no longer is. Default: plan if valid_from is after the turn, else changed if it ended, else holds.
                     * @enum {string}
                     */
                    stance?: "holds" | "changed" | "plan" | "was";
                })[];
            }[];
            options?: {
                /** @default true */
                write_active?: boolean;
                /** @default true */
                write_passive?: boolean;
                /**
                 * Format: date-time
                 * @description From this moment on the turns, and what was found in them, are in no answer. RFC 3339, in the future.
                 */
                expires_at?: string;
                /** @description The same, in days after the turns were recorded. Not together with `expires_at`. */
                ttl_days?: number;
                /** @description Names the session where it has no title yet, with a write that stores a turn; billed with that. Lists show it once it is indexed. */
                session_title?: string;
            };
            /** @description Stored unchanged, and billed, with a write that stores a turn; at most 16384 bytes as JSON and 1000 levels deep. What a filter is about: of its values, those that have room in 4 KiB, in their order and with their keys. No effect on a recall without a filter. */
            metadata?: Record<string, unknown>;
        };
        Ingested: {
            /** @description Derived from the scope and the turns: a retry gets the same id. Any other write of known turns alone gets the job of the write that stored its first turn. */
            job_id: string;
            /** @description One id per turn, in the request's order; none of a turn that was hidden or has expired; empty without the active tier. */
            active_fragment_ids: string[];
            /** @description Job of the background enrichment; null when none is pending. */
            passive_job_id: string | null;
            usage: components["schemas"]["Usage"];
            /** @description How many secrets of what was sent were replaced, by rule; absent where nothing is screened (GET /me/screening). */
            screened?: {
                [key: string]: number;
            };
        };
        Usage: {
            tokens_in: number;
            tokens_out: number;
        };
        Job: {
            job_id: string;
            /** @enum {string} */
            status: "queued" | "done" | "failed";
            turns: number;
            observations: number;
            entities: number;
            reason: string | null;
        };
        Recall: {
            scope: {
                /** @description Required, but has no effect: the organization is the token's. */
                org_id: string;
                /** @description End-user partition inside the organization. Default: the token's user. */
                user_id?: string;
                /** @description Conversation, channel or task. Default: the token's session_id claim; without one, ingestion writes to default-session and recall searches all sessions. */
                session_id?: string;
            };
            /** @description A question or words, in natural language. */
            q: string;
            /**
             * @default active
             * @enum {string}
             */
            mode?: "active" | "deep";
            /** @description Hits across all kinds. Default: 15 for active, 25 for deep; at most 30 are used. */
            top_k?: number;
            /**
             * @description ever: facts that no longer hold are hits too, and turns that say them keep their places. Default: now, unless the question asks about the past.
             * @enum {string}
             */
            holds?: "now" | "ever";
            /** @default false */
            include_timeline?: boolean;
            /**
             * @description Adds context: one string for a prompt, of the 30 best hits, whatever top_k is.
             * @default false
             */
            include_context?: boolean;
            /**
             * @description Most tokens of the context (o200k_base). Giving it asks for a context.
             * @default 800
             */
            context_max_tokens?: number;
            /**
             * @description False leaves the three lists empty; hits that are not returned are not billed.
             * @default true
             */
            include_hits?: boolean;
            /** @description Least score of a hit. Applies to the context and the timeline too. */
            min_score?: number;
            /** @description Most tokens of the hits together, their texts and labels, best first; long turns come as their parts (passages). A hit that does not fit is passed over. */
            max_tokens?: number;
            /** @description true: text and content of a long hit, one of more than about 80 words, are the part that matters for the question, and part says where it is. false: all of its words. Default: true with max_tokens, otherwise false. The context and the timeline always quote the part. */
            passages?: boolean;
            /** @description Kinds of hits to return. Default: all. */
            kinds?: ("turn" | "observation" | "entity")[];
            /**
             * Format: date-time
             * @description Earliest timestamp, inclusive.
             */
            since?: string;
            /**
             * Format: date-time
             * @description Latest timestamp, inclusive; not before since.
             */
            until?: string;
            /**
             * Format: date-time
             * @description Answers only from what had been recorded by this moment, inclusive. In contrast, since and until compare with the timestamps of the turns. A moment less than about a minute in the past is a 422.
             */
            as_of?: string;
            /** @description Where the question is asked, in minutes to the east of UTC: "yesterday" and "on 5 May" are days there. Default: the offset that as_of is written with, else 0. */
            utc_offset?: number;
            /**
             * @description Keeps what was answered for 90 days: the answer has receipt_id, and GET /recalls/{id} gives it back. Bills one of tokens_in for each hit that it keeps.
             * @default false
             */
            receipt?: boolean;
            /** @description Only turns whose metadata passes, and what was found in them. */
            filter?: components["schemas"]["Filter"];
            /** @description One of the embedding models that are configured, to compare it before it serves. Default: the one that serves. */
            embeddings_model?: string;
            /**
             * @description Adds to each turn and observation an explanation of its score; costs no tokens.
             * @default false
             */
            explain?: boolean;
        };
        /**
         * @description What the metadata of a write has to say. A leaf names a key and one operator; all, any and not combine. gt, gte, lt and lte compare numbers with numbers, RFC 3339 timestamps as instants, and other strings by their code points, up to 256 characters. Of an array, any element may match. A turn without the key matches no leaf but exists: false. A value of another type can't be compared, and of metadata only the first 4 KiB are kept: what is unknown doesn't pass, with not before it either. At most 32 leaves and 8 levels.
         * @example {
         *       "key": "channel",
         *       "eq": "support"
         *     }
         * @example {
         *       "all": [
         *         {
         *           "key": "agent_id",
         *           "in": [
         *             "planner",
         *             "critic"
         *           ]
         *         },
         *         {
         *           "not": {
         *             "key": "run.step",
         *             "lt": 3
         *           }
         *         }
         *       ]
         *     }
         */
        Filter: {
            /** @description A key of the metadata; dots lead into nested objects. */
            key: string;
            /** @description Equal, and of the same type. */
            eq: string | number | boolean;
        } | {
            /** @description A key of the metadata; dots lead into nested objects. */
            key: string;
            /** @description Equal to one of these. */
            in: (string | number | boolean)[];
        } | {
            /** @description A key of the metadata; dots lead into nested objects. */
            key: string;
            gt: string | number;
        } | {
            /** @description A key of the metadata; dots lead into nested objects. */
            key: string;
            gte: string | number;
        } | {
            /** @description A key of the metadata; dots lead into nested objects. */
            key: string;
            lt: string | number;
        } | {
            /** @description A key of the metadata; dots lead into nested objects. */
            key: string;
            lte: string | number;
        } | {
            /** @description A key of the metadata; dots lead into nested objects. */
            key: string;
            /** @description Whether the key is there, whatever its value. */
            exists: boolean;
        } | {
            all: components["schemas"]["Filter"][];
        } | {
            any: components["schemas"]["Filter"][];
        } | {
            not: components["schemas"]["Filter"];
        };
        Recalled: {
            hits: {
                turns: components["schemas"]["TurnHit"][];
                observations: components["schemas"]["ObservationHit"][];
                entities: components["schemas"]["EntityHit"][];
            };
            /** @description The probability that what was found contains what the query asks for, whether or not hits are returned; 0 when nothing was found. */
            confidence: number;
            /** @description Lines in chronological order, each with its date (UTC), within 400 tokens; null without hits or when not requested. */
            timeline: string | null;
            /** @description What holds now, facts that bear on the question first, then what was said in chronological order, each line with date and speaker, quoted, each thing once, within context_max_tokens; null when nothing was found or fits, or when not requested. */
            context: string | null;
            /** @enum {string} */
            mode: "active" | "deep";
            freshness: components["schemas"]["Freshness"];
            usage: components["schemas"]["Usage"];
            /** @description Which of the configured models took no part in the ranking, since they did not answer in time, or were busy: a repetition may have other hits. Missing where all of them did. */
            degraded?: ("embeddings" | "rerank" | "reader")[];
            /** @description Where receipt was true: the id for GET /recalls/{id}. */
            receipt_id?: string;
        };
        TurnHit: {
            id: string;
            /** @example [2026-01-01] [user] I moved to Lyon. */
            text: string;
            score: number;
            /**
             * @description Unix seconds.
             * @example 1767225600
             */
            timestamp: string;
            user_id: string;
            session_id: string;
            /** @enum {string} */
            kind: "turn";
            /**
             * @description The words alone; those of the part, with passages.
             * @example I moved to Lyon.
             */
            content: string;
            /**
             * Format: date-time
             * @description When it was said.
             */
            said_at: string;
            role: string;
            /** @description The speaker's offset from UTC, minutes to the east, where the timestamp was sent with one: days count in it. */
            utc_offset?: number;
            explanation?: components["schemas"]["Explanation"];
            part?: components["schemas"]["TextPart"];
            /** @description The observation that says what holds instead, or that it has ended. */
            superseded_by?: string;
            /** @description What was understood of this turn: its observations that state an attribute or resolve a date, the one that answers the question first. They take no places among the hits. */
            observations?: components["schemas"]["NestedObservation"][];
            /** @description The turn among the hits that says another value now, if the ranking decided so and no fact. It orders and labels, and leaves nothing out of a context. */
            later?: string;
        };
        /** @description score = factor / (1 + exp(-(base + the sum of the log_odds))). */
        Explanation: {
            /** @description Log-odds before any feature contributes. */
            base: number;
            /** @description Largest contribution first. */
            parts: {
                feature: string;
                /**
                 * @description What the feature measures.
                 * @enum {string}
                 */
                aspect: "words" | "meaning" | "conversation" | "speaker" | "time" | "form";
                /** @description The contribution of the feature, positive or negative. */
                log_odds: number;
            }[];
            /** @description Not 1 for a hit that has another place than its own words give it: an observation instead of its turn, or one behind the turns. */
            factor: number;
        };
        /** @description Of a text of more than about 80 words: the part that matters for the question, from the character at from up to the one at to, which is not in it. They are counted over all words of the turn or observation; a character is a Unicode code point. With passages, content is this part; without, content has all words. */
        TextPart: {
            from: number;
            to: number;
        };
        NestedObservation: {
            id: string;
            text: string;
            /**
             * @description The client, or the extractor that found it.
             * @enum {string}
             */
            source: "client" | "rules" | "llm";
            subject?: {
                /** @description The entity's. */
                id: string;
                label: string;
            };
            /** @example home */
            attribute?: string;
            /** @description The object that the attribute is of: a budget about a laptop. */
            about?: string;
            /** @example Porto */
            value?: string;
            /**
             * Format: date-time
             * @description From when it holds; null where nothing is said of it.
             */
            valid_from?: string | null;
            /**
             * Format: date-time
             * @description Until when it holds, where that is known.
             */
            valid_until?: string;
            /** @description It says that something no longer holds. */
            ended?: boolean;
            /**
             * @description How it was said: as holding, as news, as a plan, or as over.
             * @enum {string}
             */
            stance?: "holds" | "changed" | "plan" | "was";
            /** @description From 0 to 1; what is less certain than 0.8 ends nothing. */
            certainty?: number;
            /** @description The observation that says what holds instead, or that it has ended. */
            superseded_by?: string;
            /** @description Observations that say otherwise, where nobody knows which of them holds. */
            disputed_by?: string[];
        };
        ObservationHit: {
            id: string;
            text: string;
            score: number;
            /**
             * @description Unix seconds.
             * @example 1767225600
             */
            timestamp: string;
            user_id: string;
            session_id: string;
            /**
             * @description The words alone; those of the part, with passages.
             * @example I moved to Lyon.
             */
            content: string;
            /**
             * Format: date-time
             * @description When it was said.
             */
            said_at: string;
            /** @enum {string} */
            kind: "observation";
            source_turn_ids: string[];
            /**
             * @description The client, or the extractor that found it.
             * @enum {string}
             */
            source: "client" | "rules" | "llm";
            /** @description The speaker's offset from UTC, minutes to the east, where the timestamp was sent with one: days count in it. */
            utc_offset?: number;
            explanation?: components["schemas"]["Explanation"];
            part?: components["schemas"]["TextPart"];
            subject?: {
                /** @description The entity's. */
                id: string;
                label: string;
            };
            /** @example home */
            attribute?: string;
            /** @description The object that the attribute is of: a budget about a laptop. */
            about?: string;
            /** @example Porto */
            value?: string;
            /**
             * Format: date-time
             * @description From when it holds; null where nothing is said of it.
             */
            valid_from?: string | null;
            /**
             * Format: date-time
             * @description Until when it holds, where that is known.
             */
            valid_until?: string;
            /** @description It says that something no longer holds. */
            ended?: boolean;
            /**
             * @description How it was said: as holding, as news, as a plan, or as over.
             * @enum {string}
             */
            stance?: "holds" | "changed" | "plan" | "was";
            /** @description From 0 to 1; what is less certain than 0.8 ends nothing. */
            certainty?: number;
            /** @description The observation that says what holds instead, or that it has ended. */
            superseded_by?: string;
            /** @description Observations that say otherwise, where nobody knows which of them holds. */
            disputed_by?: string[];
        };
        EntityHit: {
            id: string;
            /** @enum {string} */
            kind: "entity";
            label: string;
            score: number;
        };
        Freshness: {
            /**
             * Format: date-time
             * @description The index shows every write of the searched scope that was acknowledged by the time of this call and recorded before this moment: the oldest recorded_at that waits in the active tail, or the time of the call if none waits; the as_of of a call that has one. Writes since then come from the active tail. What is extracted from a turn follows when its job is done.
             */
            indexed_until: string;
            /** @description How many of the items or hits of this answer were taken from the active tail, as the index did not show them yet; with include_hits false, of the hits that would be in it. */
            from_tail: number;
        };
        Receipt: {
            receipt_id: string;
            /**
             * Format: date-time
             * @description When it was answered.
             */
            recalled_at: string;
            /**
             * Format: date-time
             * @description From this moment on it is a 404.
             */
            expires_at: string;
            /** @description The question; null once what it searched was erased. */
            q: string | null;
            /** @enum {string} */
            mode: "active" | "deep";
            /**
             * Format: date-time
             * @description The as_of of the question.
             */
            as_of: string | null;
            /** @description Names the weights that ranked it. */
            ranker: string;
            confidence: number;
            /** @description In the order of the answer, best first. */
            hits: components["schemas"]["ReceiptHit"][];
            /** @description How many of the turns and observations are said to be so. */
            feedback: {
                helpful: number;
                wrong: number;
            };
        };
        ReceiptHit: {
            /** @enum {string} */
            kind: "turn" | "observation" | "entity";
            /**
             * @description hits: a hit of the answer. context: only its context or its timeline quotes it, the part that is shown. facts: what the context says that holds.
             * @enum {string}
             */
            used_in: "hits" | "context" | "facts";
            /**
             * @description erased: it was erased or hidden since, and has no words.
             * @enum {string}
             */
            status: "shown" | "erased";
            /** @description null for an erased observation or entity, whose id is made of its words. */
            id: string | null;
            /** @description As it was answered; null for facts. */
            score: number | null;
            /** @description As a recall renders it, read anew. */
            text?: string;
            /** @description The words alone, and only those that the answer had: of a long turn or a cut one the part, of a fact its value. */
            content?: string;
            part?: components["schemas"]["TextPart"];
            /** Format: date-time */
            said_at?: string;
            /** @description The speaker's offset from UTC, minutes to the east, where the timestamp was sent with one: days count in it. */
            utc_offset?: number;
            user_id?: string;
            session_id?: string;
            /** @description Of a turn. */
            role?: string;
            /**
             * @description The client, or the extractor that found it.
             * @enum {string}
             */
            source?: "client" | "rules" | "llm";
            /** @description Of an entity. */
            label?: string;
            /**
             * @description What was said last of this turn or observation (POST /recalls/{id}/feedback).
             * @enum {string}
             */
            verdict?: "helpful" | "wrong";
        };
        GiveFeedback: {
            /** @description The id of a turn or an observation among the hits of the receipt. */
            hit_id: string;
            /** @enum {string} */
            verdict: "helpful" | "wrong";
        };
        Feedback: {
            receipt_id: string;
            hit_id: string;
            /** @enum {string} */
            verdict: "helpful" | "wrong";
        };
        Say: {
            scope: {
                /** @description Required, but has no effect: the organization is the token's. */
                org_id: string;
                /** @description End-user partition inside the organization. Default: the token's user. */
                user_id?: string;
                /** @description Conversation, channel or task. Default: the token's session_id claim; without one, ingestion writes to default-session and recall searches all sessions. */
                session_id?: string;
            };
            text: string;
            /** @description Whose attribute it is. Default: The user. */
            subject?: string;
            /** @description Such as home, employer, partner, allergy: docs/reference/attributes.md has the table. Others are kept alike. */
            attribute?: string;
            /** @description The object that the attribute is of, where it has one: a budget about a laptop. */
            about?: string;
            /**
             * @description What it is.
             * @example Porto
             */
            value?: string;
            /**
             * Format: date-time
             * @description From when it holds. Default: nothing is said of it.
             */
            valid_from?: string;
            /**
             * @description It no longer holds. Without a value: whatever held.
             * @default false
             */
            ended?: boolean;
            /**
             * @description How it was said. holds: it is so, whatever began when; changed: it became so, at valid_from or just now; plan: it will be so from valid_from on; was: it no longer is. Default: plan if valid_from is after the turn, else changed if it ended, else holds.
             * @enum {string}
             */
            stance?: "holds" | "changed" | "plan" | "was";
            /**
             * Format: date-time
             * @description When it was said. Default: now.
             */
            timestamp?: string;
            /** @description Stored unchanged, and billed, with a write that stores a turn; at most 16384 bytes as JSON and 1000 levels deep. What a filter is about: of its values, those that have room in 4 KiB, in their order and with their keys. No effect on a recall without a filter. */
            metadata?: Record<string, unknown>;
        };
        StatedObservation: {
            id: string;
            user_id: string;
            session_id: string;
            /** @description The turn that it comes from; null for one that was said without a turn. A turn written with write_active false is not stored itself. */
            turn_id: string | null;
            /**
             * @description The client, or the extractor that found it.
             * @enum {string}
             */
            source: "client" | "rules" | "llm";
            text: string;
            /**
             * Format: date-time
             * @description The turn's timestamp.
             */
            timestamp: string;
            /** @description The speaker's offset from UTC, minutes to the east, where the timestamp was sent with one: days count in it. */
            utc_offset?: number;
            subject?: {
                /** @description The entity's. */
                id: string;
                label: string;
            };
            /** @example home */
            attribute?: string;
            /** @description The object that the attribute is of: a budget about a laptop. */
            about?: string;
            /** @example Porto */
            value?: string;
            /**
             * Format: date-time
             * @description From when it holds; null where nothing is said of it.
             */
            valid_from?: string | null;
            /**
             * Format: date-time
             * @description Until when it holds, where that is known.
             */
            valid_until?: string;
            /** @description It says that something no longer holds. */
            ended?: boolean;
            /**
             * @description How it was said: as holding, as news, as a plan, or as over.
             * @enum {string}
             */
            stance?: "holds" | "changed" | "plan" | "was";
            /** @description From 0 to 1; what is less certain than 0.8 ends nothing. */
            certainty?: number;
            /** @description The observation that it corrects. */
            corrects?: string;
            /** @description The observation that corrects it. */
            superseded_by?: string;
            match?: components["schemas"]["Match"];
            usage: components["schemas"]["Usage"];
            /** @description How many secrets of what was sent were replaced, by rule; absent where nothing is screened (GET /me/screening). */
            screened?: {
                [key: string]: number;
            };
        };
        Match: {
            /** @description How well the words match (BM25): comparable within one list, and no probability. */
            score: number;
            /**
             * @description What has the words: the text of the item or, of a user or a session, of one of its turns; a session's title; what a user or an entity is called; the id of a user or a session.
             * @enum {string}
             */
            by: "text" | "title" | "name" | "label" | "id";
            /** @description Of a user or a session: the title or the name that has the words, or the first 500 characters of the turn. Of an entity: another of its names. */
            text?: string;
            /** @description Of a user or a session found by what was said: the turn. */
            turn_id?: string;
        };
        OnlyId: {
            /** @description The id that the path names; of a new observation its own. */
            id: string;
        };
        Correct: {
            /** @description Default: the old text with the corrected value and subject in it. */
            text?: string;
            /** @description Whose attribute it is. */
            subject?: string;
            /** @description Such as home, employer, partner, allergy: docs/reference/attributes.md has the table. Others are kept alike. */
            attribute?: string;
            /** @description The object that the attribute is of, where it has one: a budget about a laptop. */
            about?: string;
            /**
             * @description What it is.
             * @example Porto
             */
            value?: string;
            /**
             * Format: date-time
             * @description From when it holds.
             */
            valid_from?: string;
            /**
             * @description How it was said.
             * @enum {string}
             */
            stance?: "holds" | "changed" | "plan" | "was";
        };
        UserDetails: {
            user_id: string;
            sessions: number;
            turns: number;
            /**
             * Format: date-time
             * @description By the turns' own timestamps; null without a stored turn.
             */
            last_at: string | null;
            /** @description The user's own names, as they were set; the first is shown. */
            names: string[];
            /** @description Names that the user gave ("my name is Ada") and that are not set: nothing is renamed. */
            suggested_names: string[];
        };
        NameUser: {
            /** @description All of them, in place of those set before; the first is shown. Empty: none any more. */
            names: string[];
        };
        CorrectEntity: {
            /** @description Shown from now on, wherever the entity is: in lists, as the subject of facts, in recalls. */
            label?: string;
            /** @description Another entity's id of the same user: from now on both are one, listed under that one, whatever their kinds. */
            merge_into?: string;
            /** @description Either ids of names of this entity (its aliases) that are somebody else's: from now on they stand apart, and no rule merges them with this entity again. Or sessions in which its name is another person's, all of them one person: two people of one name are told apart by what they were spoken of in. */
            split?: (string | {
                /** @description A session in which the name is somebody else's. */
                session_id: string;
                /** @description What that one is called. Default: the label with the session, "Alex (work)". */
                label?: string;
            })[];
        };
        EntityItem: {
            id: string;
            user_id: string;
            label: string;
            /** @example person */
            kind: string;
            /** @description The number of turns in the scope that mention it, by any of its names. */
            turns: number;
            /** @description Other names of this person in the scope, where exactly one person fits. In the list of one user only, and not with turn_id. */
            aliases: components["schemas"]["EntityAlias"][];
            match?: components["schemas"]["Match"];
        };
        EntityAlias: {
            /** @description The entity of this name: turns that use it mention that one. */
            id: string;
            label: string;
            /** @description The number of turns in the scope that use this name. */
            turns: number;
            /**
             * @description Why it is taken for the same person: Dr. Anna Meier, Anna M, Anna, Annie, Anan or my sister Anna; or because somebody said so.
             * @enum {string}
             */
            rule: "honorific" | "initial" | "first_name" | "short_form" | "typo" | "relation" | "correction";
            /** @description The name that the rule matched; that one may be an alias too. */
            matched: string;
        };
        TitleSession: {
            /** @description At most 256 characters; null or an empty one removes it. */
            title: string | null;
        };
        SessionItem: {
            user_id: string;
            session_id: string;
            /** @description As it was titled (PATCH /memory/sessions/{id}); null without a title. */
            title: string | null;
            turns: number;
            /**
             * Format: date-time
             * @description By the turns' own timestamps; null without a stored turn.
             */
            first_at: string | null;
            /**
             * Format: date-time
             * @description By the turns' own timestamps; null without a stored turn.
             */
            last_at: string | null;
            match?: components["schemas"]["Match"];
        };
        Erase: {
            scope: {
                /** @description Required, but has no effect: the organization is the token's. */
                org_id: string;
                /** @description The user to erase. Required for a token that may name any user; for others the default is the token's user. */
                user_id?: string;
                /** @description Only this session. Default: the token's session_id claim; without one, all of the user's sessions. */
                session_id?: string;
            };
        };
        Erased: {
            /** @description Counts at the time the erasure began; entities: those mentioned in its turns. */
            erased: {
                turns: number;
                observations: number;
                entities: number;
                sessions: number;
            };
            /** Format: date-time */
            erased_at: string;
            /** @description A JWS (RFC 7515) over scope, erased and erased_at; jti is the id of the erasure's event in the log. */
            receipt: string;
        };
        TurnEvent: {
            id: string;
            text: string;
            /**
             * @description Unix seconds.
             * @example 1767225600
             */
            timestamp: string;
            user_id: string;
            session_id: string;
            /** Format: date-time */
            recorded_at: string;
            /** @enum {string} */
            kind: "turn";
            role: string;
            /** @description The speaker's offset from UTC, minutes to the east, where the timestamp was sent with one: days count in it. */
            utc_offset?: number;
        };
        ObservationEvent: {
            id: string;
            text: string;
            /**
             * @description Unix seconds.
             * @example 1767225600
             */
            timestamp: string;
            user_id: string;
            session_id: string;
            /** Format: date-time */
            recorded_at: string;
            /** @enum {string} */
            kind: "observation";
            source_turn_ids: string[];
            /**
             * @description The client, or the extractor that found it.
             * @enum {string}
             */
            source: "client" | "rules" | "llm";
            /** @description The speaker's offset from UTC, minutes to the east, where the timestamp was sent with one: days count in it. */
            utc_offset?: number;
        };
        Users: {
            users: components["schemas"]["UserItem"][];
            /** @description Send it as cursor to get the next page; null: this is the last page. */
            next_cursor: string | null;
            freshness: components["schemas"]["Freshness"];
        };
        UserItem: {
            user_id: string;
            sessions: number;
            turns: number;
            /**
             * Format: date-time
             * @description By the turns' own timestamps; null without a stored turn.
             */
            last_at: string | null;
            match?: components["schemas"]["Match"];
        };
        Sessions: {
            sessions: components["schemas"]["SessionItem"][];
            /** @description Send it as cursor to get the next page; null: this is the last page. */
            next_cursor: string | null;
            freshness: components["schemas"]["Freshness"];
        };
        Turns: {
            turns: components["schemas"]["TurnItem"][];
            /** @description Send it as cursor to get the next page; null: this is the last page. */
            next_cursor: string | null;
            freshness: components["schemas"]["Freshness"];
        };
        TurnItem: {
            id: string;
            user_id: string;
            session_id: string;
            role: string;
            /** @description As it was said. */
            text: string;
            /** Format: date-time */
            timestamp: string;
            /** @description The speaker's offset from UTC, minutes to the east, where the timestamp was sent with one: days count in it. */
            utc_offset?: number;
            match?: components["schemas"]["Match"];
        };
        Observations: {
            observations: components["schemas"]["ObservationItem"][];
            /** @description Send it as cursor to get the next page; null: this is the last page. */
            next_cursor: string | null;
            freshness: components["schemas"]["Freshness"];
        };
        ObservationItem: {
            id: string;
            user_id: string;
            session_id: string;
            /** @description The turn that it comes from; null for one that was said without a turn. A turn written with write_active false is not stored itself. */
            turn_id: string | null;
            /**
             * @description The client, or the extractor that found it.
             * @enum {string}
             */
            source: "client" | "rules" | "llm";
            text: string;
            /**
             * Format: date-time
             * @description The turn's timestamp.
             */
            timestamp: string;
            /** @description The speaker's offset from UTC, minutes to the east, where the timestamp was sent with one: days count in it. */
            utc_offset?: number;
            subject?: {
                /** @description The entity's. */
                id: string;
                label: string;
            };
            /** @example home */
            attribute?: string;
            /** @description The object that the attribute is of: a budget about a laptop. */
            about?: string;
            /** @example Porto */
            value?: string;
            /**
             * Format: date-time
             * @description From when it holds; null where nothing is said of it.
             */
            valid_from?: string | null;
            /**
             * Format: date-time
             * @description Until when it holds, where that is known.
             */
            valid_until?: string;
            /** @description It says that something no longer holds. */
            ended?: boolean;
            /**
             * @description How it was said: as holding, as news, as a plan, or as over.
             * @enum {string}
             */
            stance?: "holds" | "changed" | "plan" | "was";
            /** @description From 0 to 1; what is less certain than 0.8 ends nothing. */
            certainty?: number;
            /** @description The observation that it corrects. */
            corrects?: string;
            /** @description The observation that corrects it. */
            superseded_by?: string;
            match?: components["schemas"]["Match"];
        };
        Facts: {
            facts: components["schemas"]["FactItem"][];
            /** @description Send it as cursor to get the next page; null: this is the last page. */
            next_cursor: string | null;
            freshness: components["schemas"]["Freshness"];
        };
        FactItem: {
            /** @description The observation that said it last. */
            id: string;
            user_id: string;
            /** @description The session in which it was said last. */
            session_id: string;
            subject: {
                /** @description The entity's. */
                id: string;
                label: string;
            };
            /** @example home */
            attribute: string;
            /** @description The object that the attribute is of; null without one. */
            about: string | null;
            /** @example Porto */
            value: string;
            /** @description The id of the entity that the value names, if it names one: a fact is then a relation between two. GET /memory/entities lists what turns name. */
            value_id: string;
            /** @description The observation. */
            text: string;
            /**
             * Format: date-time
             * @description From when it holds; null where nothing is said of it.
             */
            valid_from: string | null;
            /**
             * Format: date-time
             * @description null while it holds.
             */
            valid_until: string | null;
            /**
             * @description How it was said: as holding, as news, as a plan, or as over.
             * @enum {string}
             */
            stance: "holds" | "changed" | "plan" | "was";
            /** @description From 0 to 1; what is less certain than 0.8 ends nothing. */
            certainty: number;
            /** @description The observation that said another value, or that it has ended. */
            superseded_by: string | null;
            /** @description Observations that say otherwise, where nobody knows which of them holds. */
            disputed_by: string[];
            /** @description Every turn that says it, the latest first. */
            source_turn_ids: string[];
            /**
             * @description The client, or the extractor that found it.
             * @enum {string}
             */
            source: "client" | "rules" | "llm";
            /**
             * Format: date-time
             * @description When the service recorded it; null for the moment until it is projected.
             */
            recorded_at: string | null;
            match?: components["schemas"]["Match"];
        };
        Entities: {
            entities: components["schemas"]["EntityItem"][];
            /** @description Send it as cursor to get the next page; null: this is the last page. */
            next_cursor: string | null;
            freshness: components["schemas"]["Freshness"];
        };
        TurnDetails: {
            id: string;
            user_id: string;
            session_id: string;
            role: string;
            /** @description As it was said. */
            text: string;
            /** Format: date-time */
            timestamp: string;
            /** @description Observations made of this turn. */
            observations: components["schemas"]["ObservationItem"][];
            /** @description Entities that it mentions. GET /memory/entities counts the turns that mention each. */
            entities: components["schemas"]["TurnEntity"][];
            /**
             * Format: date-time
             * @description When the service recorded it; null for the moment until it is projected.
             */
            recorded_at: string | null;
            /**
             * Format: date-time
             * @description When it expires by itself; null: a retention of the organization decides.
             */
            expires_at: string | null;
            /** @description The speaker's offset from UTC, minutes to the east, where the timestamp was sent with one: days count in it. */
            utc_offset?: number;
        };
        TurnEntity: {
            id: string;
            user_id: string;
            label: string;
            /** @example person */
            kind: string;
        };
        MemoryStats: {
            /** @description Every day in order, the current one last, also those on which nothing happened. */
            days: {
                /**
                 * Format: date
                 * @description In UTC, of when it was recorded.
                 */
                day: string;
                /** @description Turns stored: each once, whatever has become of it. */
                turns: number;
                /** @description Users of whom a turn was stored. */
                users: number;
                /** @description Sessions of which a turn was stored. */
                sessions: number;
                /** @description Facts learnt: observations that say an attribute, of clients and of extractors. */
                facts: number;
                /** @description Recalls answered. */
                recalls: number;
            }[];
            /** @description The recalls of these days, by how long each took from its admission until its answer was made: all bins, in order. */
            latency_ms: {
                /** @description Milliseconds, inclusive; null: any number above the bin before. */
                up_to: number | null;
                recalls: number;
            }[];
            /** @description The recalls of these days, by the confidence of their answers: ten bins, in order. */
            confidence: {
                from: number;
                /** @description Exclusive, but 1 itself is in the last bin. */
                to: number;
                recalls: number;
            }[];
        };
        UsageToday: {
            /** @enum {string} */
            period: "day_utc";
            /** Format: date-time */
            start: string;
            /** Format: date-time */
            end: string;
            tokens_in: number;
            tokens_out: number;
            limits: components["schemas"]["Limits"];
            /** @description With by; it adds up to the sums. */
            split?: components["schemas"]["UsageSplit"];
        };
        /** @description Tokens per UTC day; 0: no cap. */
        Limits: {
            tokens_in: number;
            tokens_out: number;
        };
        UsageSplit: {
            /**
             * @description Adds the split of the sums by user, by session or by API key. For a key without the role *, sums and split are then its own user's.
             * @enum {string}
             */
            by: "user" | "session" | "key";
            /** @description Most tokens first. A turn is counted to the user and the session that it was written to, a recall to the user that it searched, or to the user whose key asked where it searched all. In each day of a month the shares are of those with the most tokens in the month. */
            shares: components["schemas"]["UsageShare"][];
            /** @description All shares beyond the limit. */
            other: components["schemas"]["Usage"];
            /** @description What belongs to users and sessions that were erased or have expired, and recalls of users of whom nothing is stored: nothing names them any more. By key it is with its key. */
            erased: components["schemas"]["Usage"];
            /** @description Billed in the last moments, and not split yet. */
            pending: components["schemas"]["Usage"];
        };
        UsageShare: {
            tokens_in: number;
            tokens_out: number;
            /** @description By user, and by session. */
            user_id?: string;
            /** @description By session; null: the user's recalls, which are counted to no session. */
            session_id?: string | null;
            /** @description By key; null: what was imported. */
            key_id?: string | null;
        };
        UsageMonth: {
            /** @enum {string} */
            period: "month";
            /** Format: date-time */
            start: string;
            /** Format: date-time */
            end: string;
            tokens_in: number;
            tokens_out: number;
            /** @description With by; it adds up to the sums. */
            split?: components["schemas"]["UsageSplit"];
        };
        UsageDaily: {
            /** @enum {string} */
            period: "month";
            /** Format: date-time */
            start: string;
            /** Format: date-time */
            end: string;
            /** @description Every day of the month in order, including days without usage; no future days. */
            days: {
                /**
                 * Format: date
                 * @description In UTC.
                 */
                day: string;
                tokens_in: number;
                tokens_out: number;
                /** @description With by; it adds up to the sums. */
                split?: components["schemas"]["UsageSplit"];
            }[];
        };
        UsageStatement: {
            /** @description A JWS (RFC 7515) with org_id, month, tokens_in, tokens_out, the number of billed events, the same by day in days, and root: the root of the Merkle tree of RFC 6962 (SHA-256, hexadecimal) over the billed events in the order of their ids' bytes; a leaf is an event as compact JSON, [id, tokens_in, tokens_out]. */
            statement: string;
        };
        SignUp: {
            org_id: string;
            name?: string;
            email?: string;
        };
        SignedUp: {
            org_id: string;
            user_id: string;
            /** @description Shown only now. */
            api_key: string;
        };
        Me: {
            org_id: string;
            user_id: string;
            /** @description The session of calls that name none. */
            session_id: string | null;
            /** @description Whether the key can not leave its user and session; otherwise they are defaults. */
            strict: boolean;
            roles: string[];
            plan: string;
            limits: components["schemas"]["Limits"];
            /** Format: date-time */
            created_at: string;
        };
        /** @description How long an organization keeps what has no expiry of its own. */
        Retention: {
            /** @description What is in force now: days from when it was recorded; null: for ever. */
            days: number | null;
            /** @description What was set and takes its place; null: nothing. */
            next: {
                /** @description Days from when it was recorded; null: for ever. */
                days: number | null;
                /** Format: date-time */
                in_force_at: string;
            } | null;
        };
        SetRetention: {
            /** @description Days from when it was recorded; null: for ever. */
            days: number | null;
        };
        Screening: {
            /**
             * @description secrets: they are replaced before anything is stored; off: nothing is.
             * @enum {string}
             */
            screen: "off" | "secrets";
            /** @description Whether the organization has set it; else the installation did. */
            own: boolean;
            /** @description The version of the rules. */
            rules: string;
        };
        SetScreening: {
            /**
             * @description default: what the installation does.
             * @enum {string}
             */
            screen: "off" | "secrets" | "default";
        };
        OrganizationDeletion: {
            /**
             * @description none: nobody has asked, or it was taken back, or not confirmed in time.
             * @enum {string}
             */
            state: "none" | "asked" | "confirmed";
            org_id: string;
            /** Format: date-time */
            asked_at: string | null;
            /**
             * Format: date-time
             * @description When it can be confirmed at the earliest: later, if the service has not run all the time.
             */
            confirm_from: string | null;
            /**
             * Format: date-time
             * @description From then on it has to be asked for again.
             */
            confirm_until: string | null;
        };
        NamedOrganization: {
            /** @description The id of the caller's organization. */
            org_id: string;
        };
        ApiKeys: {
            api_keys: components["schemas"]["ApiKey"][];
        };
        ApiKey: {
            id: string;
            name: string;
            /** @description The public prefix of the key. */
            prefix: string;
            roles: string[];
            user_id: string;
            session_id: string | null;
            /** @description Whether the key can not leave its user and session; otherwise they are defaults. */
            strict: boolean;
            /**
             * Format: date-time
             * @description Null: it does not expire.
             */
            expires_at: string | null;
            /** @description The addresses and ranges that it works from; null: any. */
            addresses: string[] | null;
            /** Format: date-time */
            created_at: string;
            /** @description Accurate to a minute, unless very many keys are in use. */
            last_used_at: string | null;
        };
        CreateApiKey: {
            name: string;
            /** @description Default: the creator's roles. Naming a role that the creator lacks is a 403. */
            roles?: ("*" | "memory:write" | "memory:read" | "memory:curate" | "memory:erase" | "usage:read" | "keys:manage" | "audit:read")[];
            /** @description The user of calls that name none. Default: the creator's user. */
            user_id?: string;
            /** @description The session of calls that name none. Default: none; for a strict creator, its session. */
            session_id?: string;
            /**
             * Format: date-time
             * @description Until when it works, in the future; then it and its tokens are a 401. Default: the creator's. A later one than the creator's is a 403.
             */
            expires_at?: string;
            /** @description The client addresses that it works from, IPv4 or IPv6, alone or as ranges (192.0.2.0/24); from any other it and its tokens are a 403. Default: the creator's. Any that is not among the creator's is a 403. */
            addresses?: string[];
            /** @description Whether user and session are bounds instead of defaults: another user or session, and what covers the organization, is then a 403, with the role * too. A strict key creates only strict keys of its own user and session. Default: the creator's. */
            strict?: boolean;
        };
        NewApiKey: {
            id: string;
            name: string;
            /** @description The public prefix of the key. */
            prefix: string;
            roles: string[];
            user_id: string;
            session_id: string | null;
            /** @description Whether the key can not leave its user and session; otherwise they are defaults. */
            strict: boolean;
            /**
             * Format: date-time
             * @description Null: it does not expire.
             */
            expires_at: string | null;
            /** @description The addresses and ranges that it works from; null: any. */
            addresses: string[] | null;
            /** Format: date-time */
            created_at: string;
            /** @description Accurate to a minute, unless very many keys are in use. */
            last_used_at: string | null;
            /** @description Shown only now. */
            api_key: string;
        };
        RotateApiKey: {
            /**
             * @description How long the former key still works, unless it expires sooner; 0: it is revoked at once.
             * @default 86400
             */
            grace_seconds?: number;
        };
        Webhooks: {
            webhooks: components["schemas"]["Webhook"][];
        };
        Webhook: {
            id: string;
            url: string;
            events: ("turn" | "fact" | "erased" | "quota")[];
            /** @description Null: every user. */
            user_id: string | null;
            /** @description The key whose rights it has: that of its creator, or of whoever resumed it last. */
            key_id: string;
            /** Format: date-time */
            created_at: string;
            /**
             * @description retrying: its receiver fails, and is tried again with longer and longer pauses.
             * @enum {string}
             */
            state: "active" | "retrying" | "paused";
            /**
             * Format: date-time
             * @description Since when every attempt fails; after 24 hours it is paused.
             */
            failing_since: string | null;
            paused: {
                /** Format: date-time */
                at: string;
                /**
                 * @description failing: every attempt of 24 hours failed; gone: the receiver answered 410; key: the key is revoked or has expired; position: the log ends before the webhook's position.
                 * @enum {string}
                 */
                reason: "failing" | "gone" | "key" | "position";
            } | null;
            /** @description Messages of erasures that were not delivered, because more than 200 of them waited. */
            dropped: number;
        };
        CreateWebhook: {
            /** @description https, without user information and fragment. An address that is private, loopback, link-local or of another special use is a 422 here, or refused at each delivery where a name leads to it. */
            url: string;
            /** @description turn: a turn was stored; fact: an observation that says an attribute of somebody or something; erased: a user or a session was erased; quota: 80 % and all of a cap of the day are used. The first three need memory:read, quota needs usage:read. */
            events: ("turn" | "fact" | "erased" | "quota")[];
            /** @description Only this user's. Default: the whole organization for a key that may name any user, else the key's own user. It doesn't narrow quota. */
            user_id?: string;
        };
        NewWebhook: {
            id: string;
            url: string;
            events: ("turn" | "fact" | "erased" | "quota")[];
            /** @description Null: every user. */
            user_id: string | null;
            /** @description The key whose rights it has: that of its creator, or of whoever resumed it last. */
            key_id: string;
            /** Format: date-time */
            created_at: string;
            /**
             * @description retrying: its receiver fails, and is tried again with longer and longer pauses.
             * @enum {string}
             */
            state: "active" | "retrying" | "paused";
            /**
             * Format: date-time
             * @description Since when every attempt fails; after 24 hours it is paused.
             */
            failing_since: string | null;
            paused: {
                /** Format: date-time */
                at: string;
                /**
                 * @description failing: every attempt of 24 hours failed; gone: the receiver answered 410; key: the key is revoked or has expired; position: the log ends before the webhook's position.
                 * @enum {string}
                 */
                reason: "failing" | "gone" | "key" | "position";
            } | null;
            /** @description Messages of erasures that were not delivered, because more than 200 of them waited. */
            dropped: number;
            /** @description Shown only now. */
            secret: string;
        };
        TurnMessage: {
            /** @enum {string} */
            type: "turn";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["TurnEvent"];
        };
        FactMessage: {
            /** @enum {string} */
            type: "fact";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["FactEvent"];
        };
        FactEvent: {
            id: string;
            text: string;
            /**
             * @description Unix seconds.
             * @example 1767225600
             */
            timestamp: string;
            user_id: string;
            session_id: string;
            /** Format: date-time */
            recorded_at: string;
            /** @enum {string} */
            kind: "observation";
            source_turn_ids: string[];
            /**
             * @description The client, or the extractor that found it.
             * @enum {string}
             */
            source: "client" | "rules" | "llm";
            subject: {
                /** @description The entity's. */
                id: string;
                label: string;
            };
            /** @example home */
            attribute: string;
            /** @example Porto */
            value: string;
            /**
             * Format: date-time
             * @description From when it holds; null where nothing is said of it.
             */
            valid_from: string | null;
            /** @description It says that something no longer holds. */
            ended: boolean;
            /**
             * @description How it was said: as holding, as news, as a plan, or as over.
             * @enum {string}
             */
            stance: "holds" | "changed" | "plan" | "was";
            /** @description From 0 to 1; what is less certain than 0.8 ends nothing. */
            certainty: number;
            /** @description The speaker's offset from UTC, minutes to the east, where the timestamp was sent with one: days count in it. */
            utc_offset?: number;
            /** @description The object that the attribute is of: a budget about a laptop. */
            about?: string;
            /**
             * Format: date-time
             * @description Until when it holds, where that is known.
             */
            valid_until?: string;
        };
        ErasedMessage: {
            /** @enum {string} */
            type: "erased";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["ErasedEvent"];
        };
        ErasedEvent: {
            user_id: string;
            /** @description Null: all of the user's. */
            session_id: string | null;
            /**
             * Format: date-time
             * @description Delete what was recorded of it before.
             */
            erased_at: string;
        };
        QuotaMessage: {
            /** @enum {string} */
            type: "quota";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["QuotaEvent"];
        };
        QuotaEvent: {
            /** @enum {string} */
            cap: "tokens_in" | "tokens_out";
            /** @description 80 or 100. */
            percent: number;
            used: number;
            limit: number;
            /** @description YYYY-MM-DD, in UTC. */
            day: string;
        };
        WebhookDeliveries: {
            deliveries: components["schemas"]["WebhookDelivery"][];
        };
        WebhookDelivery: {
            /** @description The header webhook-id: that of the message, in every attempt. */
            webhook_id: string;
            /** @enum {string} */
            event: "turn" | "fact" | "erased" | "quota";
            /** @description Counted since the process began with it. */
            attempt: number;
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            status: "delivered" | "failed";
            /** @description Of the answer; null: there was none. */
            http_status: number | null;
            /** @description Why it failed: status, redirect, address (the name has no address that may be called), timeout, connection. */
            reason: string | null;
            duration_ms: number;
        };
        AuditPage: {
            entries: components["schemas"]["AuditEntry"][];
            /** @description Send it as cursor; null: this is the last page. */
            next_cursor: string | null;
        };
        AuditEntry: {
            id: string;
            /** Format: date-time */
            at: string;
            actor: {
                /**
                 * @description operator: a command of an operator.
                 * @enum {string}
                 */
                kind: "key" | "operator" | "sign_up";
                key_id: string | null;
                /** @description The key's user. */
                user_id: string | null;
                /** @description loopback, private or, of a public address, the range that it is in: its first 24 bits (IPv4) or 48 (IPv6). */
                address: string | null;
            };
            /** @enum {string} */
            action: "account.read" | "audit.read" | "keys.create" | "keys.first_use" | "keys.read" | "keys.recover" | "keys.revoke" | "keys.rotate" | "limits.set" | "memory.correct" | "memory.erase" | "memory.export" | "memory.feed" | "memory.feedback" | "memory.import" | "memory.read" | "memory.recall" | "memory.receipt" | "memory.retract" | "memory.write" | "names.entity" | "names.session" | "names.user" | "organization.create" | "organization.delete" | "organization.delete_ask" | "organization.delete_withdraw" | "retention.set" | "screening.set" | "sign_in" | "usage.read" | "webhooks.create" | "webhooks.delete" | "webhooks.read" | "webhooks.resume";
            /** @description Null: the call was refused, or was one of very many of its key in this hour. */
            target: {
                /** @enum {string} */
                kind: "organization" | "key" | "user" | "session" | "turn" | "observation" | "entity" | "recall" | "webhook";
                id: string | null;
                /** @description The user whose it is, where the call names one. */
                user_id: string | null;
            } | null;
            /**
             * @description unchanged: it was allowed, and there was nothing to change. refused: the credential may not.
             * @enum {string}
             */
            outcome: "done" | "unchanged" | "refused";
            /** @description The X-Correlation-ID of the call. */
            request_id: string;
        };
        Health: {
            /** @enum {string} */
            status: "ok";
        };
        Readiness: {
            ready: boolean;
            /** @description The engines that do not answer: what needs them is a 503, and everything else is answered. */
            degraded: string[];
            engines: {
                [key: string]: {
                    ok: boolean;
                    detail: string;
                };
            };
        };
        Faults: {
            /** @description All faults of form and of value; at most 10,000. */
            errors: {
                /**
                 * @example [
                 *       "body",
                 *       "turns",
                 *       0,
                 *       "text"
                 *     ]
                 */
                loc: (string | number)[];
                /** @example missing */
                type: string;
                /** @example is required */
                message: string;
            }[];
            /** @description The number of faults that are not listed, if any. */
            omitted?: number;
        };
        QuotaDetails: {
            /** @enum {string} */
            error: "quota_exceeded";
            /** @enum {string} */
            kind: "tokens_in_daily" | "tokens_out_daily";
            used: number;
            limit: number;
            /** @enum {string} */
            period: "day_utc";
            /** Format: date-time */
            period_start: string;
            message: string;
        };
        RateDetails: {
            /** @enum {string} */
            error: "rate_limited";
        };
        Error: {
            /** @example HTTP 422 */
            error: string;
            message: string;
            details: Record<string, unknown> | null;
            /** Format: date-time */
            timestamp: string;
            /**
             * Format: uuid
             * @description Equals X-Correlation-ID.
             */
            request_id: string;
        };
        InvalidRequest: {
            /** @example HTTP 422 */
            error: string;
            message: string;
            details: components["schemas"]["Faults"];
            /** Format: date-time */
            timestamp: string;
            /**
             * Format: uuid
             * @description Equals X-Correlation-ID.
             */
            request_id: string;
        };
        TooManyRequests: {
            /** @example HTTP 422 */
            error: string;
            message: string;
            details: components["schemas"]["QuotaDetails"] | components["schemas"]["RateDetails"];
            /** Format: date-time */
            timestamp: string;
            /**
             * Format: uuid
             * @description Equals X-Correlation-ID.
             */
            request_id: string;
        };
    };
    responses: {
        /** @description The request is malformed: not JSON, or a member is missing or of the wrong type. */
        Error400: {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "HTTP 400",
                 *       "message": "The request is malformed.",
                 *       "details": {
                 *         "errors": [
                 *           {
                 *             "loc": [
                 *               "body",
                 *               "turns",
                 *               0,
                 *               "text"
                 *             ],
                 *             "type": "missing",
                 *             "message": "is required"
                 *           }
                 *         ]
                 *       },
                 *       "timestamp": "2026-03-09T09:30:00.000Z",
                 *       "request_id": "4a1f0f0e-6a55-4d0b-9f35-2f6f2f1f3a90"
                 *     }
                 */
                "application/json": components["schemas"]["InvalidRequest"];
            };
        };
        /** @description The credential is missing, unknown, invalid or expired. */
        Error401: {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "HTTP 401",
                 *       "message": "The token is missing, invalid or expired.",
                 *       "details": null,
                 *       "timestamp": "2026-03-09T09:30:00.000Z",
                 *       "request_id": "4a1f0f0e-6a55-4d0b-9f35-2f6f2f1f3a90"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The credential is revoked or lacks what the call needs. */
        Error403: {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "HTTP 403",
                 *       "message": "The credential lacks the role memory:write.",
                 *       "details": null,
                 *       "timestamp": "2026-03-09T09:30:00.000Z",
                 *       "request_id": "4a1f0f0e-6a55-4d0b-9f35-2f6f2f1f3a90"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource does not exist. */
        Error404: {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "HTTP 404",
                 *       "message": "There is nothing at this path.",
                 *       "details": null,
                 *       "timestamp": "2026-03-09T09:30:00.000Z",
                 *       "request_id": "4a1f0f0e-6a55-4d0b-9f35-2f6f2f1f3a90"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The path does not support this method. */
        Error405: {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                Allow?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "HTTP 405",
                 *       "message": "The methods of this path are GET, HEAD, OPTIONS.",
                 *       "details": null,
                 *       "timestamp": "2026-03-09T09:30:00.000Z",
                 *       "request_id": "4a1f0f0e-6a55-4d0b-9f35-2f6f2f1f3a90"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body of a call without a token took longer than 5 seconds to arrive. */
        Error408: {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "HTTP 408",
                 *       "message": "The body of a call without a token must arrive within seconds.",
                 *       "details": null,
                 *       "timestamp": "2026-03-09T09:30:00.000Z",
                 *       "request_id": "4a1f0f0e-6a55-4d0b-9f35-2f6f2f1f3a90"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource already exists, or is not complete yet. */
        Error409: {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "HTTP 409",
                 *       "message": "The organization id is taken.",
                 *       "details": null,
                 *       "timestamp": "2026-03-09T09:30:00.000Z",
                 *       "request_id": "4a1f0f0e-6a55-4d0b-9f35-2f6f2f1f3a90"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than 4 MiB, or than 16 KiB in a call without a token. */
        Error413: {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "HTTP 413",
                 *       "message": "The body must have at most 4194304 bytes.",
                 *       "details": null,
                 *       "timestamp": "2026-03-09T09:30:00.000Z",
                 *       "request_id": "4a1f0f0e-6a55-4d0b-9f35-2f6f2f1f3a90"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not application/json in UTF-8, or has a Content-Encoding. */
        Error415: {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "HTTP 415",
                 *       "message": "The body must be sent with Content-Type: application/json in UTF-8.",
                 *       "details": null,
                 *       "timestamp": "2026-03-09T09:30:00.000Z",
                 *       "request_id": "4a1f0f0e-6a55-4d0b-9f35-2f6f2f1f3a90"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request is well formed but breaks a rule of value. */
        Error422: {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "HTTP 422",
                 *       "message": "The request breaks a rule.",
                 *       "details": {
                 *         "errors": [
                 *           {
                 *             "loc": [
                 *               "body",
                 *               "top_k"
                 *             ],
                 *             "type": "out_of_range",
                 *             "message": "must be at most 50"
                 *           }
                 *         ]
                 *       },
                 *       "timestamp": "2026-03-09T09:30:00.000Z",
                 *       "request_id": "4a1f0f0e-6a55-4d0b-9f35-2f6f2f1f3a90"
                 *     }
                 */
                "application/json": components["schemas"]["InvalidRequest"];
            };
        };
        /** @description Too many calls: of the organization in a second, of the address in a minute on an open endpoint, or exchanges that failed. Or a daily cap is reached (until 00:00 UTC). */
        Error429: {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                /** @description Seconds to wait. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "HTTP 429",
                 *       "message": "The daily cap of ingress tokens would be exceeded by this call.",
                 *       "details": {
                 *         "error": "quota_exceeded",
                 *         "kind": "tokens_in_daily",
                 *         "used": 999996,
                 *         "limit": 1000000,
                 *         "period": "day_utc",
                 *         "period_start": "2026-03-09T00:00:00.000Z",
                 *         "message": "The daily cap of ingress tokens would be exceeded by this call. It opens again at 00:00 UTC."
                 *       },
                 *       "timestamp": "2026-03-09T09:30:00.000Z",
                 *       "request_id": "4a1f0f0e-6a55-4d0b-9f35-2f6f2f1f3a90"
                 *     }
                 */
                "application/json": components["schemas"]["TooManyRequests"];
            };
        };
        /** @description Internal error. */
        Error500: {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "HTTP 500",
                 *       "message": "Something went wrong on our side.",
                 *       "details": null,
                 *       "timestamp": "2026-03-09T09:30:00.000Z",
                 *       "request_id": "4a1f0f0e-6a55-4d0b-9f35-2f6f2f1f3a90"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An engine is unreachable; nothing was stored. */
        Error503: {
            headers: {
                "X-Correlation-ID": components["headers"]["CorrelationId"];
                /** @description Seconds to wait. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "HTTP 503",
                 *       "message": "The service took too long; try again.",
                 *       "details": null,
                 *       "timestamp": "2026-03-09T09:30:00.000Z",
                 *       "request_id": "4a1f0f0e-6a55-4d0b-9f35-2f6f2f1f3a90"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description Echoed when it is a UUID; otherwise a new one is generated. */
        CorrelationId: string;
    };
    requestBodies: never;
    headers: {
        /** @description Identifies the request in every log line. */
        CorrelationId: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    exchangeToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "api_key": "ts_…"
                 *     }
                 */
                "application/json": components["schemas"]["TokenExchange"];
            };
        };
        responses: {
            /** @description An access token for 24 hours and a refresh token for 7 days. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "eyJ…",
                     *       "refresh_token": "eyJ…",
                     *       "token_type": "bearer",
                     *       "expires_in": 86400
                     *     }
                     */
                    "application/json": components["schemas"]["Tokens"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    refreshToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "refresh_token": "eyJ…"
                 *     }
                 */
                "application/json": components["schemas"]["TokenRefresh"];
            };
        };
        responses: {
            /** @description A new access token and the next refresh token. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "eyJ…",
                     *       "refresh_token": "eyJ…",
                     *       "token_type": "bearer",
                     *       "expires_in": 86400
                     *     }
                     */
                    "application/json": components["schemas"]["Tokens"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    signingKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A JWK set; a token names its key by kid. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "kty": "RSA",
                     *           "kid": "4hrxz6ur…",
                     *           "use": "sig",
                     *           "alg": "RS256",
                     *           "n": "w5dK…",
                     *           "e": "AQAB"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Jwks"];
                };
            };
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
    listIdentityProviders: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The providers, in the order of the configuration. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "providers": [
                     *         {
                     *           "id": "acme",
                     *           "name": "Acme",
                     *           "authorization_url": "https://example.com/authorize?client_id=turnstone&response_type=code&scope=openid"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["IdentityProviders"];
                };
            };
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
    exchangeIdentityCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "provider": "acme",
                 *       "code": "SplxlOBeZQQYbYS6WxSbIA",
                 *       "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
                 *       "redirect_uri": "https://example.com/console/",
                 *       "nonce": "n-0S6_WzA2Mj0S6_"
                 *     }
                 */
                "application/json": components["schemas"]["IdentityCode"];
            };
        };
        responses: {
            /** @description An access token for an hour. There is no refresh token. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "eyJ…",
                     *       "token_type": "bearer",
                     *       "expires_in": 3600
                     *     }
                     */
                    "application/json": components["schemas"]["IdentityToken"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    exchangeIdentityToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "eyJ…"
                 *     }
                 */
                "application/json": components["schemas"]["IdentityAssertion"];
            };
        };
        responses: {
            /** @description An access token for an hour. There is no refresh token. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "eyJ…",
                     *       "token_type": "bearer",
                     *       "expires_in": 3600
                     *     }
                     */
                    "application/json": components["schemas"]["IdentityToken"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    ingest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "scope": {
                 *         "org_id": "local",
                 *         "user_id": "ada",
                 *         "session_id": "monday"
                 *       },
                 *       "turns": [
                 *         {
                 *           "role": "user",
                 *           "text": "I moved to Lyon last week.",
                 *           "timestamp": "2026-01-05T09:30:00Z"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["Ingest"];
            };
        };
        responses: {
            /** @description Stored; enrichment continues in the background. */
            202: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "job_id": "job_6db74e8b13c9ebc98e44dde372aa24c1",
                     *       "active_fragment_ids": [
                     *         "trn_01c1867ad1376fca818c9058dcbb892e"
                     *       ],
                     *       "passive_job_id": "enr_6db74e8b13c9ebc98e44dde372aa24c1",
                     *       "usage": {
                     *         "tokens_in": 7,
                     *         "tokens_out": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Ingested"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    job: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of the job. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "job_id": "enr_6db74e8b13c9ebc98e44dde372aa24c1",
                     *       "status": "done",
                     *       "turns": 1,
                     *       "observations": 1,
                     *       "entities": 1,
                     *       "reason": null
                     *     }
                     */
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    recall: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "scope": {
                 *         "org_id": "local"
                 *       },
                 *       "q": "Where does Ada live?"
                 *     }
                 */
                "application/json": components["schemas"]["Recall"];
            };
        };
        responses: {
            /** @description Hits, best first. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "hits": {
                     *         "turns": [
                     *           {
                     *             "id": "trn_01c1867ad1376fca818c9058dcbb892e",
                     *             "score": 0.61,
                     *             "kind": "turn",
                     *             "timestamp": "1767605400",
                     *             "user_id": "ada",
                     *             "session_id": "monday",
                     *             "text": "[2026-01-05] [user] I moved to Lyon last week.",
                     *             "content": "I moved to Lyon last week.",
                     *             "said_at": "2026-01-05T09:30:00.000Z",
                     *             "role": "user"
                     *           }
                     *         ],
                     *         "observations": [],
                     *         "entities": [
                     *           {
                     *             "id": "ent_050456b33527481e45828878",
                     *             "label": "Lyon",
                     *             "score": 0.12,
                     *             "kind": "entity"
                     *           }
                     *         ]
                     *       },
                     *       "confidence": 0.94,
                     *       "timeline": null,
                     *       "context": null,
                     *       "mode": "active",
                     *       "freshness": {
                     *         "indexed_until": "2026-03-08T21:15:00.000Z",
                     *         "from_tail": 0
                     *       },
                     *       "usage": {
                     *         "tokens_in": 6,
                     *         "tokens_out": 17
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Recalled"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    readReceipt: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer, as it was, with the words of today. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "receipt_id": "rcl_5a0f1d9c-5f0e-4f5b-9f53-0a6d1a7a2f10.0.1042",
                     *       "recalled_at": "2026-03-10T08:00:00.000Z",
                     *       "expires_at": "2026-06-08T08:00:00.000Z",
                     *       "q": "Where does Ada live?",
                     *       "mode": "active",
                     *       "as_of": null,
                     *       "ranker": "2026-11-21-0a1b2c3d4e5f",
                     *       "confidence": 0.94,
                     *       "hits": [
                     *         {
                     *           "kind": "turn",
                     *           "used_in": "hits",
                     *           "status": "shown",
                     *           "id": "trn_01c1867ad1376fca818c9058dcbb892e",
                     *           "score": 0.61,
                     *           "text": "[2026-01-05] [user] I moved to Lyon last week.",
                     *           "content": "I moved to Lyon last week.",
                     *           "said_at": "2026-01-05T09:30:00.000Z",
                     *           "user_id": "ada",
                     *           "session_id": "monday",
                     *           "role": "user",
                     *           "verdict": "helpful"
                     *         },
                     *         {
                     *           "kind": "observation",
                     *           "used_in": "hits",
                     *           "status": "erased",
                     *           "id": null,
                     *           "score": 0.4
                     *         }
                     *       ],
                     *       "feedback": {
                     *         "helpful": 1,
                     *         "wrong": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    giveFeedback: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "hit_id": "trn_01c1867ad1376fca818c9058dcbb892e",
                 *       "verdict": "helpful"
                 *     }
                 */
                "application/json": components["schemas"]["GiveFeedback"];
            };
        };
        responses: {
            /** @description As it counts now. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "receipt_id": "rcl_5a0f1d9c-5f0e-4f5b-9f53-0a6d1a7a2f10.0.1042",
                     *       "hit_id": "trn_01c1867ad1376fca818c9058dcbb892e",
                     *       "verdict": "helpful"
                     *     }
                     */
                    "application/json": components["schemas"]["Feedback"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listObservations: {
        parameters: {
            query?: {
                user_id?: string;
                session_id?: string;
                turn_id?: string;
                source?: "client" | "rules" | "llm";
                since?: string;
                until?: string;
                q?: string;
                filter?: string;
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of observations. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "observations": [
                     *         {
                     *           "id": "obs_01c1867a219d190b83849f09f87766fe",
                     *           "user_id": "ada",
                     *           "session_id": "monday",
                     *           "timestamp": "2026-01-05T09:30:00.000Z",
                     *           "turn_id": "trn_01c1867ad1376fca818c9058dcbb892e",
                     *           "source": "rules",
                     *           "text": "The user moved to Lyon in the week of 29 December 2025."
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "freshness": {
                     *         "indexed_until": "2026-03-08T21:15:00.000Z",
                     *         "from_tail": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Observations"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    say: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "scope": {
                 *         "org_id": "local",
                 *         "user_id": "ada",
                 *         "session_id": "monday"
                 *       },
                 *       "text": "Ada lives in Porto.",
                 *       "subject": "Ada",
                 *       "attribute": "home",
                 *       "value": "Porto",
                 *       "timestamp": "2026-01-05T09:30:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["Say"];
            };
        };
        responses: {
            /** @description Stored. */
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "obs_01c1867ad1376fca818c9058dcbb892e",
                     *       "user_id": "ada",
                     *       "session_id": "monday",
                     *       "turn_id": null,
                     *       "source": "client",
                     *       "text": "Ada lives in Porto.",
                     *       "timestamp": "2026-01-05T09:30:00.000Z",
                     *       "subject": {
                     *         "id": "ent_e6cb0ab77cb1f4e2c0a1e2a5",
                     *         "label": "Ada"
                     *       },
                     *       "attribute": "home",
                     *       "value": "Porto",
                     *       "valid_from": null,
                     *       "ended": false,
                     *       "stance": "holds",
                     *       "certainty": 1,
                     *       "usage": {
                     *         "tokens_in": 8,
                     *         "tokens_out": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["StatedObservation"] | components["schemas"]["OnlyId"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    retractObservation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Hidden; from now on it is 404. */
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    correct: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": "Porto"
                 *     }
                 */
                "application/json": components["schemas"]["Correct"];
            };
        };
        responses: {
            /** @description The observation that supersedes it. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "obs_01c1867ad1376fca818c9058dcbb892e",
                     *       "user_id": "ada",
                     *       "session_id": "monday",
                     *       "turn_id": null,
                     *       "source": "client",
                     *       "text": "Ada lives in Porto.",
                     *       "timestamp": "2026-01-05T09:30:00.000Z",
                     *       "subject": {
                     *         "id": "ent_e6cb0ab77cb1f4e2c0a1e2a5",
                     *         "label": "Ada"
                     *       },
                     *       "attribute": "home",
                     *       "value": "Porto",
                     *       "valid_from": null,
                     *       "ended": false,
                     *       "stance": "holds",
                     *       "certainty": 1,
                     *       "usage": {
                     *         "tokens_in": 8,
                     *         "tokens_out": 0
                     *       },
                     *       "corrects": "obs_01c1867a3df5ac0c6a9e8b7a5d1f0c2e"
                     *     }
                     */
                    "application/json": components["schemas"]["StatedObservation"] | components["schemas"]["OnlyId"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    readTurn: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The turn. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "trn_01c1867ad1376fca818c9058dcbb892e",
                     *       "user_id": "ada",
                     *       "session_id": "monday",
                     *       "timestamp": "2026-01-05T09:30:00.000Z",
                     *       "role": "user",
                     *       "text": "I moved to Lyon last week.",
                     *       "observations": [
                     *         {
                     *           "id": "obs_01c1867a219d190b83849f09f87766fe",
                     *           "user_id": "ada",
                     *           "session_id": "monday",
                     *           "timestamp": "2026-01-05T09:30:00.000Z",
                     *           "turn_id": "trn_01c1867ad1376fca818c9058dcbb892e",
                     *           "source": "rules",
                     *           "text": "The user moved to Lyon in the week of 29 December 2025."
                     *         }
                     *       ],
                     *       "entities": [
                     *         {
                     *           "id": "ent_050456b33527481e45828878",
                     *           "user_id": "ada",
                     *           "label": "Lyon",
                     *           "kind": "place"
                     *         }
                     *       ],
                     *       "recorded_at": "2026-01-05T09:30:01.744Z",
                     *       "expires_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["TurnDetails"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    retractTurn: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Hidden; from now on it is 404. */
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    readUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user; without turns, the counts are 0. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user_id": "ada",
                     *       "sessions": 4,
                     *       "turns": 120,
                     *       "last_at": "2026-03-08T21:14:00.000Z",
                     *       "names": [
                     *         "Ada",
                     *         "Ada Lovelace"
                     *       ],
                     *       "suggested_names": [
                     *         "Countess"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["UserDetails"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    nameUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "names": [
                 *         "Ada",
                 *         "Ada Lovelace"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NameUser"];
            };
        };
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user_id": "ada",
                     *       "sessions": 4,
                     *       "turns": 120,
                     *       "last_at": "2026-03-08T21:14:00.000Z",
                     *       "names": [
                     *         "Ada",
                     *         "Ada Lovelace"
                     *       ],
                     *       "suggested_names": []
                     *     }
                     */
                    "application/json": components["schemas"]["UserDetails"] | components["schemas"]["OnlyId"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    correctEntity: {
        parameters: {
            query?: {
                user_id?: string;
            };
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "label": "Melanie Price",
                 *       "split": [
                 *         "ent_5b0e7a3c9d1f2e4a6b8c0d2e"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CorrectEntity"];
            };
        };
        responses: {
            /** @description The entity, as the list has it. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ent_050456b33527481e45828878",
                     *       "user_id": "ada",
                     *       "label": "Melanie Price",
                     *       "kind": "person",
                     *       "turns": 12,
                     *       "aliases": []
                     *     }
                     */
                    "application/json": components["schemas"]["EntityItem"] | components["schemas"]["OnlyId"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    titleSession: {
        parameters: {
            query?: {
                user_id?: string;
            };
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "The move to Lyon"
                 *     }
                 */
                "application/json": components["schemas"]["TitleSession"];
            };
        };
        responses: {
            /** @description The session, as the list has it. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user_id": "ada",
                     *       "session_id": "monday",
                     *       "title": "The move to Lyon",
                     *       "turns": 31,
                     *       "first_at": "2026-01-05T09:30:00.000Z",
                     *       "last_at": "2026-01-05T10:02:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SessionItem"] | components["schemas"]["OnlyId"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    erase: {
        parameters: {
            query?: {
                user_id?: string;
                session_id?: string;
            };
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "scope": {
                 *         "org_id": "local",
                 *         "user_id": "ada",
                 *         "session_id": "monday"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Erase"];
            };
        };
        responses: {
            /** @description Erased; with a receipt, signed by a key of /.well-known/jwks.json. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "erased": {
                     *         "turns": 3,
                     *         "observations": 2,
                     *         "entities": 6,
                     *         "sessions": 1
                     *       },
                     *       "erased_at": "2026-03-09T09:30:00.000Z",
                     *       "receipt": "eyJ…"
                     *     }
                     */
                    "application/json": components["schemas"]["Erased"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    feed: {
        parameters: {
            query?: {
                after?: string;
                filter?: string;
            };
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stream that stays open. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: WzEsWzJdLFtdXQ
                     *     event: turn
                     *     data: {"id":"trn_01c1867ad1376fca818c9058dcbb892e","text":"I moved to Lyon last week.","kind":"turn","timestamp":"1767605400","user_id":"ada","session_id":"monday","role":"user","recorded_at":"2026-01-05T09:30:01.744Z"}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                sort?: "id" | "last_at";
                q?: string;
                filter?: string;
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of users. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "users": [
                     *         {
                     *           "user_id": "ada",
                     *           "sessions": 4,
                     *           "turns": 120,
                     *           "last_at": "2026-03-08T21:14:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "WzEsInVzZXJzIiwiYWRhIl0",
                     *       "freshness": {
                     *         "indexed_until": "2026-03-08T21:15:00.000Z",
                     *         "from_tail": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Users"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listSessions: {
        parameters: {
            query?: {
                user_id?: string;
                sort?: "id" | "last_at";
                q?: string;
                filter?: string;
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sessions. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessions": [
                     *         {
                     *           "user_id": "ada",
                     *           "session_id": "monday",
                     *           "title": "The move to Lyon",
                     *           "turns": 31,
                     *           "first_at": "2026-01-05T09:30:00.000Z",
                     *           "last_at": "2026-01-05T10:02:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "freshness": {
                     *         "indexed_until": "2026-03-08T21:15:00.000Z",
                     *         "from_tail": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Sessions"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listTurns: {
        parameters: {
            query?: {
                user_id?: string;
                session_id?: string;
                role?: string;
                since?: string;
                until?: string;
                filter?: string;
                order?: "asc" | "desc";
                q?: string;
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of turns. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "turns": [
                     *         {
                     *           "id": "trn_01c1867ad1376fca818c9058dcbb892e",
                     *           "user_id": "ada",
                     *           "session_id": "monday",
                     *           "timestamp": "2026-01-05T09:30:00.000Z",
                     *           "role": "user",
                     *           "text": "I moved to Lyon last week."
                     *         }
                     *       ],
                     *       "next_cursor": "WzEsInR1cm5zIGFzYyIsImFkYSIsIm1vbmRheSIsMTc2NzYwNTQwMDAwMCwxMDQyLCJ0cm5fMDFjMTg2N2FkMTM3NmZjYTgxOGM5MDU4ZGNiYjg5MmUiXQ",
                     *       "freshness": {
                     *         "indexed_until": "2026-03-08T21:15:00.000Z",
                     *         "from_tail": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Turns"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listFacts: {
        parameters: {
            query?: {
                user_id?: string;
                session_id?: string;
                subject?: string;
                value?: string;
                attribute?: string;
                holds?: "now" | "ever";
                as_of?: string;
                q?: string;
                filter?: string;
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of facts. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "facts": [
                     *         {
                     *           "id": "obs_01c1867a219d190b83849f09f87766fe",
                     *           "user_id": "ada",
                     *           "session_id": "monday",
                     *           "subject": {
                     *             "id": "ent_6b1c1f2bb4b1f9c5d7a3e0f1",
                     *             "label": "The user"
                     *           },
                     *           "attribute": "home",
                     *           "about": null,
                     *           "value": "Lyon",
                     *           "value_id": "ent_050456b33527481e45828878",
                     *           "text": "The user moved to Lyon.",
                     *           "valid_from": null,
                     *           "valid_until": null,
                     *           "stance": "changed",
                     *           "certainty": 1,
                     *           "superseded_by": null,
                     *           "disputed_by": [],
                     *           "source_turn_ids": [
                     *             "trn_01c1867ad1376fca818c9058dcbb892e"
                     *           ],
                     *           "source": "rules",
                     *           "recorded_at": "2026-01-05T09:30:01.744Z"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "freshness": {
                     *         "indexed_until": "2026-03-08T21:15:00.000Z",
                     *         "from_tail": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Facts"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listEntities: {
        parameters: {
            query?: {
                user_id?: string;
                session_id?: string;
                turn_id?: string;
                kind?: string;
                q?: string;
                filter?: string;
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entities. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entities": [
                     *         {
                     *           "id": "ent_050456b33527481e45828878",
                     *           "user_id": "ada",
                     *           "label": "Lyon",
                     *           "kind": "place",
                     *           "turns": 1,
                     *           "aliases": []
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "freshness": {
                     *         "indexed_until": "2026-03-08T21:15:00.000Z",
                     *         "from_tail": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Entities"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    readStats: {
        parameters: {
            query?: {
                user_id?: string;
                days?: number;
            };
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Counts by day, and recalls in bins. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "days": [
                     *         {
                     *           "day": "2026-03-07",
                     *           "turns": 0,
                     *           "users": 0,
                     *           "sessions": 0,
                     *           "facts": 0,
                     *           "recalls": 0
                     *         },
                     *         {
                     *           "day": "2026-03-08",
                     *           "turns": 120,
                     *           "users": 4,
                     *           "sessions": 7,
                     *           "facts": 31,
                     *           "recalls": 45
                     *         }
                     *       ],
                     *       "latency_ms": [
                     *         {
                     *           "up_to": 5,
                     *           "recalls": 0
                     *         },
                     *         {
                     *           "up_to": 10,
                     *           "recalls": 0
                     *         },
                     *         {
                     *           "up_to": 20,
                     *           "recalls": 45
                     *         },
                     *         {
                     *           "up_to": 50,
                     *           "recalls": 0
                     *         },
                     *         {
                     *           "up_to": 100,
                     *           "recalls": 0
                     *         },
                     *         {
                     *           "up_to": 200,
                     *           "recalls": 0
                     *         },
                     *         {
                     *           "up_to": 500,
                     *           "recalls": 0
                     *         },
                     *         {
                     *           "up_to": 1000,
                     *           "recalls": 0
                     *         },
                     *         {
                     *           "up_to": 2000,
                     *           "recalls": 0
                     *         },
                     *         {
                     *           "up_to": 5000,
                     *           "recalls": 0
                     *         },
                     *         {
                     *           "up_to": null,
                     *           "recalls": 0
                     *         }
                     *       ],
                     *       "confidence": [
                     *         {
                     *           "from": 0,
                     *           "to": 0.1,
                     *           "recalls": 0
                     *         },
                     *         {
                     *           "from": 0.1,
                     *           "to": 0.2,
                     *           "recalls": 0
                     *         },
                     *         {
                     *           "from": 0.2,
                     *           "to": 0.3,
                     *           "recalls": 0
                     *         },
                     *         {
                     *           "from": 0.3,
                     *           "to": 0.4,
                     *           "recalls": 0
                     *         },
                     *         {
                     *           "from": 0.4,
                     *           "to": 0.5,
                     *           "recalls": 0
                     *         },
                     *         {
                     *           "from": 0.5,
                     *           "to": 0.6,
                     *           "recalls": 0
                     *         },
                     *         {
                     *           "from": 0.6,
                     *           "to": 0.7,
                     *           "recalls": 0
                     *         },
                     *         {
                     *           "from": 0.7,
                     *           "to": 0.8,
                     *           "recalls": 0
                     *         },
                     *         {
                     *           "from": 0.8,
                     *           "to": 0.9,
                     *           "recalls": 0
                     *         },
                     *         {
                     *           "from": 0.9,
                     *           "to": 1,
                     *           "recalls": 45
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MemoryStats"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    export: {
        parameters: {
            query?: {
                filter?: string;
            };
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JSON Lines. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {"format":"turnstone-export","version":1,"org_id":"local","exported_at":"2026-03-09T09:30:00.000Z"}
                     *     …
                     *     {"end":true,"events":18,"billed":0}
                     */
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    usageToday: {
        parameters: {
            query?: {
                by?: "user" | "session" | "key";
                limit?: number;
            };
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Includes every call that was answered before this one. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "period": "day_utc",
                     *       "start": "2026-03-09T00:00:00+00:00",
                     *       "end": "2026-03-10T00:00:00+00:00",
                     *       "tokens_in": 1204,
                     *       "tokens_out": 8450,
                     *       "limits": {
                     *         "tokens_in": 1000000,
                     *         "tokens_out": 5000000
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["UsageToday"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    usageMonth: {
        parameters: {
            query?: {
                month?: string;
                by?: "user" | "session" | "key";
                limit?: number;
            };
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Includes every call that was answered before this one. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "period": "month",
                     *       "start": "2026-03-01T00:00:00+00:00",
                     *       "end": "2026-04-01T00:00:00+00:00",
                     *       "tokens_in": 30411,
                     *       "tokens_out": 190002
                     *     }
                     */
                    "application/json": components["schemas"]["UsageMonth"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    usageDaily: {
        parameters: {
            query?: {
                month?: string;
                by?: "user" | "session" | "key";
                limit?: number;
            };
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Includes every call that was answered before this one. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "period": "month",
                     *       "start": "2026-03-01T00:00:00+00:00",
                     *       "end": "2026-04-01T00:00:00+00:00",
                     *       "days": [
                     *         {
                     *           "day": "2026-03-01",
                     *           "tokens_in": 1204,
                     *           "tokens_out": 8450
                     *         },
                     *         {
                     *           "day": "2026-03-02",
                     *           "tokens_in": 0,
                     *           "tokens_out": 0
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["UsageDaily"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    usageStatement: {
        parameters: {
            query: {
                month: string;
            };
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A statement of the whole month. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "statement": "eyJ…"
                     *     }
                     */
                    "application/json": components["schemas"]["UsageStatement"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            409: components["responses"]["Error409"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "org_id": "acme",
                 *       "name": "Acme"
                 *     }
                 */
                "application/json": components["schemas"]["SignUp"];
            };
        };
        responses: {
            /** @description The organization and its first API key. */
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "org_id": "acme",
                     *       "user_id": "owner",
                     *       "api_key": "ts_…"
                     *     }
                     */
                    "application/json": components["schemas"]["SignedUp"];
                };
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    me: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization, and the reach of the credential. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "org_id": "acme",
                     *       "user_id": "owner",
                     *       "session_id": null,
                     *       "strict": false,
                     *       "roles": [
                     *         "*"
                     *       ],
                     *       "plan": "free",
                     *       "limits": {
                     *         "tokens_in": 1000000,
                     *         "tokens_out": 5000000
                     *       },
                     *       "created_at": "2026-03-01T08:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Me"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    retention: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is in force, and what was set after it. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "days": null,
                     *       "next": null
                     *     }
                     */
                    "application/json": components["schemas"]["Retention"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    setRetention: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "days": 365
                 *     }
                 */
                "application/json": components["schemas"]["SetRetention"];
            };
        };
        responses: {
            /** @description What is in force, and what was set after it. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "days": null,
                     *       "next": {
                     *         "days": 365,
                     *         "in_force_at": "2026-03-10T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Retention"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    screening: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is screened. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "screen": "off",
                     *       "own": false,
                     *       "rules": "secrets-1"
                     *     }
                     */
                    "application/json": components["schemas"]["Screening"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    setScreening: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "screen": "secrets"
                 *     }
                 */
                "application/json": components["schemas"]["SetScreening"];
            };
        };
        responses: {
            /** @description What is screened from now on. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "screen": "secrets",
                     *       "own": true,
                     *       "rules": "secrets-1"
                     *     }
                     */
                    "application/json": components["schemas"]["Screening"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deletion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether somebody has asked for it, and when it can be confirmed. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": "asked",
                     *       "org_id": "acme",
                     *       "asked_at": "2026-03-09T09:30:00.000Z",
                     *       "confirm_from": "2026-03-10T09:30:00.000Z",
                     *       "confirm_until": "2026-03-17T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["OrganizationDeletion"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    askDeletion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "org_id": "acme"
                 *     }
                 */
                "application/json": components["schemas"]["NamedOrganization"];
            };
        };
        responses: {
            /** @description When it can be confirmed. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": "asked",
                     *       "org_id": "acme",
                     *       "asked_at": "2026-03-09T09:30:00.000Z",
                     *       "confirm_from": "2026-03-10T09:30:00.000Z",
                     *       "confirm_until": "2026-03-17T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["OrganizationDeletion"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    withdrawDeletion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Nobody asks for it any more. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": "none",
                     *       "org_id": "acme",
                     *       "asked_at": null,
                     *       "confirm_from": null,
                     *       "confirm_until": null
                     *     }
                     */
                    "application/json": components["schemas"]["OrganizationDeletion"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    confirmDeletion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "org_id": "acme"
                 *     }
                 */
                "application/json": components["schemas"]["NamedOrganization"];
            };
        };
        responses: {
            /** @description It is deleted. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": "confirmed",
                     *       "org_id": "acme",
                     *       "asked_at": "2026-03-09T09:30:00.000Z",
                     *       "confirm_from": "2026-03-10T09:30:00.000Z",
                     *       "confirm_until": "2026-03-17T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["OrganizationDeletion"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Oldest first. Revoked keys are left out, expired ones a week after they expired. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "api_keys": [
                     *         {
                     *           "id": "3a34f8c3bba037b0",
                     *           "name": "reader",
                     *           "prefix": "ts_3a34f8c3bba037b0",
                     *           "roles": [
                     *             "memory:read"
                     *           ],
                     *           "user_id": "owner",
                     *           "session_id": null,
                     *           "strict": false,
                     *           "expires_at": null,
                     *           "addresses": null,
                     *           "created_at": "2026-03-09T09:30:00.000Z",
                     *           "last_used_at": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKeys"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "reader",
                 *       "roles": [
                 *         "memory:read"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateApiKey"];
            };
        };
        responses: {
            /** @description The key; its secret is shown only now. */
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "3a34f8c3bba037b0",
                     *       "name": "reader",
                     *       "prefix": "ts_3a34f8c3bba037b0",
                     *       "roles": [
                     *         "memory:read"
                     *       ],
                     *       "user_id": "owner",
                     *       "session_id": null,
                     *       "strict": false,
                     *       "expires_at": null,
                     *       "addresses": null,
                     *       "created_at": "2026-03-09T09:30:00.000Z",
                     *       "last_used_at": null,
                     *       "api_key": "ts_…"
                     *     }
                     */
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "grace_seconds": 3600
                 *     }
                 */
                "application/json": components["schemas"]["RotateApiKey"];
            };
        };
        responses: {
            /** @description The new key; its secret is shown only now. */
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "3a34f8c3bba037b0",
                     *       "name": "reader",
                     *       "prefix": "ts_3a34f8c3bba037b0",
                     *       "roles": [
                     *         "memory:read"
                     *       ],
                     *       "user_id": "owner",
                     *       "session_id": null,
                     *       "strict": false,
                     *       "expires_at": null,
                     *       "addresses": null,
                     *       "created_at": "2026-03-09T09:30:00.000Z",
                     *       "last_used_at": null,
                     *       "api_key": "ts_…"
                     *     }
                     */
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked. */
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Oldest first, without their secrets. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhooks": [
                     *         {
                     *           "id": "whk_5c3ef9a41b7d2e605c3ef9a41b7d2e60",
                     *           "url": "https://example.com/turnstone",
                     *           "events": [
                     *             "turn",
                     *             "erased"
                     *           ],
                     *           "user_id": null,
                     *           "key_id": "3a34f8c3bba037b0",
                     *           "created_at": "2026-03-09T09:30:00.000Z",
                     *           "state": "active",
                     *           "failing_since": null,
                     *           "paused": null,
                     *           "dropped": 0
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Webhooks"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/turnstone",
                 *       "events": [
                 *         "turn",
                 *         "erased"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateWebhook"];
            };
        };
        responses: {
            /** @description The webhook; its secret is shown only now. */
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whk_5c3ef9a41b7d2e605c3ef9a41b7d2e60",
                     *       "url": "https://example.com/turnstone",
                     *       "events": [
                     *         "turn",
                     *         "erased"
                     *       ],
                     *       "user_id": null,
                     *       "key_id": "3a34f8c3bba037b0",
                     *       "created_at": "2026-03-09T09:30:00.000Z",
                     *       "state": "active",
                     *       "failing_since": null,
                     *       "paused": null,
                     *       "dropped": 0,
                     *       "secret": "whsec_…"
                     *     }
                     */
                    "application/json": components["schemas"]["NewWebhook"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deliveries": [
                     *         {
                     *           "webhook_id": "msg_6b1c1f2bb4b1f9c5d7a3e0f1a2b3c4d5",
                     *           "event": "turn",
                     *           "attempt": 1,
                     *           "at": "2026-03-09T09:31:00.000Z",
                     *           "status": "delivered",
                     *           "http_status": 200,
                     *           "reason": null,
                     *           "duration_ms": 31
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveries"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    resumeWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whk_5c3ef9a41b7d2e605c3ef9a41b7d2e60",
                     *       "url": "https://example.com/turnstone",
                     *       "events": [
                     *         "turn",
                     *         "erased"
                     *       ],
                     *       "user_id": null,
                     *       "key_id": "3a34f8c3bba037b0",
                     *       "created_at": "2026-03-09T09:30:00.000Z",
                     *       "state": "active",
                     *       "failing_since": null,
                     *       "paused": null,
                     *       "dropped": 0
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    readAudit: {
        parameters: {
            query?: {
                since?: string;
                until?: string;
                action?: string;
                actor?: string;
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entries": [
                     *         {
                     *           "id": "aud_6b1c1f2bb4b1f9c5d7a3e0f1a2b3c4d5",
                     *           "at": "2026-03-09T09:30:00.000Z",
                     *           "actor": {
                     *             "kind": "key",
                     *             "key_id": "3a34f8c3bba037b0",
                     *             "user_id": "owner",
                     *             "address": "203.0.113.0/24"
                     *           },
                     *           "action": "keys.create",
                     *           "target": {
                     *             "kind": "key",
                     *             "id": "5c3ef9a41b7d2e60",
                     *             "user_id": null
                     *           },
                     *           "outcome": "done",
                     *           "request_id": "0b3f5f6e-7f0c-4e3a-9a54-1f0f5c3c9a11"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is alive. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            405: components["responses"]["Error405"];
            500: components["responses"]["Error500"];
        };
    };
    readiness: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Send it calls. A 503 lists the engines too. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ready": true,
                     *       "degraded": [],
                     *       "engines": {
                     *         "log": {
                     *           "ok": true,
                     *           "detail": "answers"
                     *         },
                     *         "projections": {
                     *           "ok": true,
                     *           "detail": "0 events behind"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            405: components["responses"]["Error405"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    metrics: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Prometheus text format. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            401: components["responses"]["Error401"];
            405: components["responses"]["Error405"];
            500: components["responses"]["Error500"];
        };
    };
    openApi: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
    docs: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed when it is a UUID; otherwise a new one is generated. */
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description HTML. */
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["CorrelationId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
}
