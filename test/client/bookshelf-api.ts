export interface paths {
    "/api/v1/log-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in
         * @description Returns an access token for an email address and a password.
         */
        post: operations["log-in"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All members
         * @description Only for librarians.
         */
        get: operations["members.list"];
        put?: never;
        /**
         * Register a member
         * @description Creates a member with an account.
         */
        post: operations["members.join"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One member
         * @description Only for the member and for librarians.
         */
        get: operations["members.show"];
        put?: never;
        post?: never;
        /**
         * Delete a member without open loans
         * @description Also deletes the account. A member with open loans is a 409.
         */
        delete: operations["members.leave"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{id}/loans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a member's current loans
         * @description Loans that have not been returned, the latest first.
         */
        get: operations["members.loans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{id}/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the notices sent to a member
         * @description Reminders of overdue loans, the oldest first.
         */
        get: operations["members.notices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/books": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search books, with pagination
         * @description By title or author, tag and availability.
         */
        get: operations["books.list"];
        put?: never;
        /**
         * Add a book
         * @description A book is identified by its ISBN. Only for librarians.
         */
        post: operations["books.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/books/export.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export all books as CSV, streamed
         * @description One line for each book, after a line with the names of the columns.
         */
        get: operations["books.export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/books/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One book
         * @description Includes whether it is available.
         */
        get: operations["books.show"];
        /**
         * Update a book
         * @description Replaces all fields of the book. Only for librarians.
         */
        put: operations["books.replace"];
        post?: never;
        /**
         * Delete a book
         * @description A book with open loans is a 409. Only for librarians.
         */
        delete: operations["books.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/books/{id}/cover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the cover of a book
         * @description The image as it was uploaded, with an ETag.
         */
        get: operations["books.cover.show"];
        /**
         * Upload a cover: PNG, JPEG or WebP, up to 512 KiB
         * @description Replaces the cover. The content must match the declared type. Only for librarians.
         */
        put: operations["books.cover.upload"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/books/{id}/loans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the loans of a book
         * @description Open and returned loans, the latest first. Only for librarians.
         */
        get: operations["books.loans.list"];
        put?: never;
        /**
         * Borrow a book; librarians can lend it to any member
         * @description Fails with 409 if the book is on loan, or if the member has too many loans.
         */
        post: operations["books.loans.lend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/loans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your loans; librarians see all loans
         * @description The latest first.
         */
        get: operations["loans.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/loans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One loan
         * @description Only for its member and for librarians.
         */
        get: operations["loans.show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/loans/{id}/return": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Return a book
         * @description Ends a loan. A loan that has ended is a 409.
         */
        post: operations["loans.return"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enqueue the notices that are due
         * @description A schedule does so every morning. Only for librarians.
         */
        post: operations["notices.send"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This page
         * @description An overview of the service, as HTML.
         */
        get: operations["home"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bookshelf.css": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stylesheet of this page
         * @description Cached by browsers for an hour.
         */
        get: operations["stylesheet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/theme": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose a theme, stored in a cookie
         * @description Redirects back to the page.
         */
        post: operations["theme"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/b/{isbn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Short link of a book, with or without hyphens
         * @description Redirects to the book.
         */
        get: operations["short-link"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Problem Details (RFC 9457). */
        ProblemDetails: {
            /**
             * Format: uri-reference
             * @description URI of the problem type.
             */
            type: string;
            /** @description Summary of the problem type. */
            title: string;
            /** @description HTTP status code. */
            status: number;
            /** @description Explanation of this occurrence. */
            detail?: string;
            /** @description URL of the request. */
            instance?: string;
            /** @description Request id, as in the log. */
            traceId?: string;
        };
        /** @description Invalid fields of the request. */
        ValidationProblem: components["schemas"]["ProblemDetails"] & {
            errors: {
                /** @example items.0.id */
                field: string;
                /** @example items.0.id is required */
                message: string;
            }[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "log-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The body's charset or encoding is not supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description A field of the request is invalid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ValidationProblem"];
                };
            };
            /** @description Too many requests; see the Retry-After header. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description Any other response of the handler. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "members.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The bearer token is missing or invalid. Not authenticated. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The policy denied access. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description Too many requests; see the Retry-After header. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description Any other response of the handler. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "members.join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** Format: email */
                    email: string;
                    password: string;
                    address?: {
                        street: string;
                        city: string;
                        postcode?: string | null;
                    } | null;
                    /** @default [] */
                    phones?: {
                        /** @enum {string} */
                        kind: "home" | "mobile" | "work";
                        number: string;
                    }[] | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The body's charset or encoding is not supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description A field of the request is invalid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ValidationProblem"];
                };
            };
            /** @description Too many requests; see the Retry-After header. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description Any other response of the handler. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "members.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The bearer token is missing or invalid. Not authenticated. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The policy denied access. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description A field of the request is invalid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ValidationProblem"];
                };
            };
            /** @description Too many requests; see the Retry-After header. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description Any other response of the handler. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "members.leave": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The bearer token is missing or invalid. Not authenticated. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The policy denied access. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description A field of the request is invalid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ValidationProblem"];
                };
            };
            /** @description Too many requests; see the Retry-After header. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description Any other response of the handler. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "members.loans": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The bearer token is missing or invalid. Not authenticated. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The policy denied access. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description A field of the request is invalid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ValidationProblem"];
                };
            };
            /** @description Too many requests; see the Retry-After header. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description Any other response of the handler. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "members.notices": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The bearer token is missing or invalid. Not authenticated. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The policy denied access. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description A field of the request is invalid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ValidationProblem"];
                };
            };
            /** @description Too many requests; see the Retry-After header. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description Any other response of the handler. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "books.list": {
        parameters: {
            query?: {
                search?: string | "";
                tag?: string | "";
                available?: (boolean | (1 | 0) | ("true" | "false" | "1" | "0" | "on" | "off")) | "";
                sort?: ("title" | "oldest" | "newest") | "";
                page?: number | "";
                perPage?: number | "";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description A field of the request is invalid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ValidationProblem"];
                };
            };
            /** @description Too many requests; see the Retry-After header. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description Any other response of the handler. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "books.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    isbn: string;
                    title: string;
                    authors: string[];
                    /** Format: date */
                    publishedOn: string;
                    pages?: number | null;
                    /** @default [] */
                    tags?: string[] | null;
                    publisher?: {
                        name: string;
                        city?: string | null;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The bearer token is missing or invalid. Not authenticated. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The policy denied access. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The body's charset or encoding is not supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description A field of the request is invalid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ValidationProblem"];
                };
            };
            /** @description Too many requests; see the Retry-After header. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description Any other response of the handler. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "books.export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The books. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": unknown;
                };
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description Too many requests; see the Retry-After header. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    "books.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description No route matches the path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description A field of the request is invalid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ValidationProblem"];
                };
            };
            /** @description Too many requests; see the Retry-After header. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description Any other response of the handler. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "books.replace": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title: string;
                    authors: string[];
                    /** Format: date */
                    publishedOn: string;
                    pages?: number | null;
                    /** @default [] */
                    tags?: string[] | null;
                    publisher?: {
                        name: string;
                        city?: string | null;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The bearer token is missing or invalid. Not authenticated. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The policy denied access. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description No route matches the path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The body's charset or encoding is not supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description A field of the request is invalid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ValidationProblem"];
                };
            };
            /** @description Too many requests; see the Retry-After header. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description Any other response of the handler. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "books.remove": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The bearer token is missing or invalid. Not authenticated. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The policy denied access. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description No route matches the path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description A field of the request is invalid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ValidationProblem"];
                };
            };
            /** @description Too many requests; see the Retry-After header. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description Any other response of the handler. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "books.cover.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description No route matches the path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description A field of the request is invalid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ValidationProblem"];
                };
            };
            /** @description Too many requests; see the Retry-After header. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description Any other response of the handler. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "books.cover.upload": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    cover: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The bearer token is missing or invalid. Not authenticated. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The policy denied access. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description No route matches the path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The body's charset or encoding is not supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description A field of the request is invalid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ValidationProblem"];
                };
            };
            /** @description Too many requests; see the Retry-After header. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description Any other response of the handler. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "books.loans.list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The bearer token is missing or invalid. Not authenticated. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The policy denied access. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description No route matches the path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description A field of the request is invalid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ValidationProblem"];
                };
            };
            /** @description Too many requests; see the Retry-After header. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description Any other response of the handler. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "books.loans.lend": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    memberId?: string | null;
                    days?: number | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The bearer token is missing or invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description No route matches the path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The body's charset or encoding is not supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description A field of the request is invalid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ValidationProblem"];
                };
            };
            /** @description Too many requests; see the Retry-After header. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description Any other response of the handler. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "loans.list": {
        parameters: {
            query?: {
                state?: ("current" | "overdue" | "returned" | "all") | "";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The bearer token is missing or invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description A field of the request is invalid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ValidationProblem"];
                };
            };
            /** @description Too many requests; see the Retry-After header. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description Any other response of the handler. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "loans.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The bearer token is missing or invalid. Not authenticated. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The policy denied access. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description A field of the request is invalid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ValidationProblem"];
                };
            };
            /** @description Too many requests; see the Retry-After header. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description Any other response of the handler. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "loans.return": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    condition?: ("good" | "worn" | "damaged") | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The bearer token is missing or invalid. Not authenticated. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The policy denied access. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The body's charset or encoding is not supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description A field of the request is invalid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ValidationProblem"];
                };
            };
            /** @description Too many requests; see the Retry-After header. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description Any other response of the handler. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "notices.send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The bearer token is missing or invalid. Not authenticated. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The policy denied access. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description Too many requests; see the Retry-After header. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description Any other response of the handler. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    home: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description Too many requests; see the Retry-After header. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    stylesheet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stylesheet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/css": unknown;
                };
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description Too many requests; see the Retry-After header. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    theme: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @enum {string} */
                    theme: "system" | "light" | "dark";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description The body's charset or encoding is not supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description A field of the request is invalid. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ValidationProblem"];
                };
            };
            /** @description Too many requests; see the Retry-After header. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description Any other response of the handler. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "short-link": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                isbn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description Too many requests; see the Retry-After header. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description Any other response of the handler. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
