// Generated from docs/openapi.json: npm run generate

export interface Schemas {
  Account: {
    /** Case-sensitive */
    username: string;
    /** Unique, ignoring case */
    email: string;
    /** `user` or `admin` */
    role: string;
  };
  /** (minItems 1, maxItems 200) */
  Cart: Schemas["CartItem"][];
  CartItem: {
    /** The product's id */
    product_id: number;
    /** The number of pieces (minimum 1) */
    quantity: number;
  };
  /** A duplicate value */
  Conflict: {
    /** The error code, for programs */
    error: "Conflict";
    /** The error message, for people */
    message: string;
    /** The field with the duplicate value */
    field: string;
  };
  CreateProductRequest: {
    /** The name, for people (maxLength 200) */
    name: string;
    /** What it is, for customers (maxLength 2000) */
    description: string;
    /** Per piece, as a decimal number (minimum 1e-9, maximum 1000000000000) */
    price: number;
    /** The number of pieces that can be ordered (minimum 0, maximum 1000000000000) */
    stock: number;
    /** Compared exactly by the filter of the catalog (maxLength 100) */
    category: string;
  };
  CreateTodoRequest: {
    /** What it is about (maxLength 1000) */
    title: string;
  };
  CreateUserRequest: {
    /** The name, for people (maxLength 200, pattern ^\s*\S[\s\S]*$) */
    name: string;
    /** Contains an `@`; need not be unique (maxLength 320, pattern ^[^@]*@[\s\S]*$) */
    email: string;
    /** In years (minimum 0) */
    age: number;
  };
  /** An error in the format `detail` */
  Detail: {
    /** The error message, for people */
    detail: string;
  };
  DetailOrErrorMessage: Schemas["Detail"] | Schemas["ErrorMessage"];
  DetailOrGatewayError: Schemas["Detail"] | Schemas["GatewayError"];
  DetailOrInternalServerError: Schemas["Detail"] | Schemas["InternalServerError"];
  /** An error in the format `envelope` */
  EnvelopeError: {
    /** Always false for an error */
    success: boolean;
    /** Always null for an error */
    data: {
      [name: string]: unknown;
    } | null;
    /** The error message, for people */
    error: string;
  };
  /** An error in the format `error` */
  ErrorMessage: {
    /** The error message, for people */
    error: string;
  };
  /** One invalid field */
  FieldError: {
    /** The path of the field: `body.title`, `query.page` */
    field: string;
    /** The error message, for people */
    message: string;
    /** The error type, for programs */
    type: "missing" | "invalid_type" | "invalid_value" | "invalid_format" | "too_small" | "too_big" | "too_deep" | "key_reused" | "json_invalid" | "utf8_invalid";
  };
  /** An error from the gateway */
  GatewayError: {
    /** The error message, for people */
    message: string;
  };
  GatewayErrorOrDetail: Schemas["GatewayError"] | Schemas["Detail"];
  GatewayErrorOrErrorMessage: Schemas["GatewayError"] | Schemas["ErrorMessage"];
  GatewayErrorOrStructuredError: Schemas["GatewayError"] | Schemas["StructuredError"];
  Health: {
    /** The service responds */
    status: "ok";
  };
  /** An unexpected error, or a damaged record; the log has its cause under the request id */
  InternalServerError: {
    /** The error code, for programs */
    error: "InternalServerError";
    /** The error message, for people */
    message: string;
    /** The request's URL */
    path: string;
  };
  Item: {
    /** Assigned by the service, never reused (minimum 1) */
    id: number;
    /** The object's `name` if that is text, otherwise empty */
    name: string;
  };
  /** A JSON object of at most 102400 bytes as text in UTF-8; a `name` that is text may have 1000 characters */
  JsonObject: {
    [name: string]: unknown;
  };
  ListProductsResult: Schemas["ProductPage"] | Schemas["Product"][];
  ListUsersResult: Schemas["ListedUser"][] | Schemas["UsersV1"] | Schemas["UsersV2"];
  ListedUser: {
    /** Assigned by the service, never reused (minimum 1) */
    id?: number;
    /** The name, for people */
    name?: string;
    /** Contains an `@`; need not be unique */
    email?: string;
    /** In years (minimum 0) */
    age?: number;
  };
  LogInRequest: {
    /** Case-sensitive */
    username: string;
    /** Compared in the Unicode form NFKC */
    password: string;
  };
  Order: {
    /** Assigned by the service, never reused (minimum 1) */
    id: number;
    /** The id of the user who ordered */
    user_id: number;
    /** The lines of the cart, as sent */
    items: Schemas["CartItem"][];
    /** The sum of price times quantity, computed exactly at the prices when the order was placed */
    total: number;
    /** Initially pending. A cancelled order stays cancelled, and a delivered one cannot be cancelled */
    status: Schemas["OrderStatus"];
    /** UTC, with milliseconds (format date-time) */
    created_at: string;
    /** UTC, with milliseconds; equal to `created_at` until the first change (format date-time) */
    updated_at: string;
  };
  OrderStatus: "pending" | "paid" | "shipped" | "delivered" | "cancelled";
  OwnPassword: {
    /** The account's current password */
    password: string;
  };
  PaginatedItems: {
    /** The records of this page */
    items: Schemas["Item"][];
    /** The number of records on all pages (minimum 0) */
    total: number;
    /** The page number (minimum 1) */
    page: number;
    /** The number of records on a full page (minimum 1) */
    size: number;
    /** The number of pages (minimum 0) */
    pages: number;
  };
  PasswordChange: {
    /** The account's current password */
    password: string;
    /** At least one digit and one uppercase letter, of any script; not the current password. A deployment can refuse the most common ones (minLength 8, maxLength 1024) */
    new_password: string;
  };
  PatchProductRequest: {
    /** The name, for people (maxLength 200) */
    name?: string | null;
    /** What it is, for customers (maxLength 2000) */
    description?: string | null;
    /** Per piece, as a decimal number (minimum 1e-9, maximum 1000000000000) */
    price?: number | null;
    /** The number of pieces that can be ordered (minimum 0, maximum 1000000000000) */
    stock?: number | null;
    /** Compared exactly by the filter of the catalog (maxLength 100) */
    category?: string | null;
  };
  PatchUserRequest: {
    /** The name, for people (maxLength 200, pattern ^\s*\S[\s\S]*$) */
    name?: string | null;
    /** Contains an `@`; need not be unique (maxLength 320, pattern ^[^@]*@[\s\S]*$) */
    email?: string | null;
    /** In years (minimum 0) */
    age?: number | null;
  };
  Post: {
    /** Assigned by the service, never reused (minimum 1) */
    id: number;
    /** The id of the author */
    author_id: number;
    /** What it is about (minLength 1, maxLength 200) */
    title: string;
    /** The text (minLength 1, maxLength 100000) */
    content: string;
    /** Any status can follow any other */
    status: Schemas["PostStatus"];
    /** Words to find it by (maxItems 20, each maxLength 50) */
    tags: string[];
    /** UTC, with milliseconds (format date-time) */
    created_at: string;
    /** UTC, with milliseconds; equal to `created_at` until the first change (format date-time) */
    updated_at: string;
    /** How often it was read by id (minimum 0) */
    view_count: number;
  };
  PostCreate: {
    /** What it is about (minLength 1, maxLength 200) */
    title: string;
    /** The text (minLength 1, maxLength 100000) */
    content: string;
    /** Any status can follow any other (default draft) */
    status?: Schemas["PostStatus"] | null;
    /** Words to find it by; none by default (maxItems 20, each maxLength 50) */
    tags?: string[] | null;
  };
  PostStatistics: {
    /** The number of posts (minimum 0) */
    total_posts: number;
    /** The number of posts of each status that occurs */
    by_status: { [name in Schemas["PostStatus"]]?: number };
    /** The total number of views of all posts (minimum 0) */
    total_views: number;
    /** Views per post; 0 without posts (minimum 0) */
    average_views: number;
  };
  PostStatus: "draft" | "published" | "archived";
  PostUpdate: {
    /** What it is about (minLength 1, maxLength 200) */
    title?: string | null;
    /** The text (minLength 1, maxLength 100000) */
    content?: string | null;
    /** Any status can follow any other */
    status?: Schemas["PostStatus"] | null;
    /** Words to find it by (maxItems 20, each maxLength 50) */
    tags?: string[] | null;
  };
  /** Problem details (RFC 9457) */
  Problem: {
    /** Always the same: `code` says which error it is */
    type: "about:blank";
    /** The name of the status */
    title: string;
    /** The status */
    status: number;
    /** The error message, for people */
    detail: string;
    /** The request's URL */
    instance: string;
    /** The error code, for programs */
    code: string;
    /** The field with the duplicate value */
    field?: string;
    /** All errors of an invalid request */
    errors?: Schemas["FieldError"][];
  };
  Product: {
    /** Assigned by the service, never reused (minimum 1) */
    id: number;
    /** The name, for people */
    name: string;
    /** What it is, for customers */
    description: string;
    /** Per piece, as a decimal number (exclusiveMinimum 0) */
    price: number;
    /** The number of pieces that can be ordered (minimum 0) */
    stock: number;
    /** Compared exactly by the filter of the catalog */
    category: string;
  };
  ProductPage: {
    /** The page number */
    page: number;
    /** The number of records on a full page (minimum 0) */
    size: number;
    /** The number of records on all pages (minimum 0) */
    total: number;
    /** The records of this page */
    items: Schemas["Product"][];
  };
  Readiness: {
    /** The service can read its database and its signing secret */
    status: "ready";
  };
  RegisteredUser: {
    /** Case-sensitive */
    username: string;
    /** Unique, ignoring case */
    email: string;
    /** In years (minimum 0, maximum 150) */
    age: number | null;
    /** An address that starts with http:// or https:// */
    website: string | null;
  };
  RegisteredUsers: {
    /** The number of accounts (minimum 1) */
    created: number;
    /** The accounts, in the order given */
    items: Schemas["RegisteredUser"][];
  };
  StoredObject: {
    /** The id of the object; replaces a field of that name (minimum 1) */
    item_id: number;
    [name: string]: unknown;
  };
  /** An error in the format `structured` */
  StructuredError: {
    /** The error code, for programs */
    error: string;
    /** The error message, for people */
    message: string;
    /** The request's URL */
    path: string;
  };
  Todo: {
    /** Assigned by the service, never reused (minimum 1) */
    id: number;
    /** What it is about */
    title: string;
    /** Whether it is done; false for a new todo */
    completed: boolean;
  };
  Token: {
    /** Sent as `Authorization: Bearer …`; valid for 30 minutes */
    access_token: string;
    /** The scheme of `Authorization` */
    token_type: "bearer";
  };
  UpdateTodoRequest: {
    /** What it is about (maxLength 1000) */
    title?: string | null;
    /** Whether it is done; false for a new todo */
    completed?: boolean | null;
  };
  User: {
    /** Assigned by the service, never reused (minimum 1) */
    id: number;
    /** The name, for people */
    name: string;
    /** Contains an `@`; need not be unique */
    email: string;
    /** In years (minimum 0) */
    age: number;
  };
  UserCreate: {
    /** Letters, digits and underscores; unique, ignoring case; a login needs the same case (minLength 3, maxLength 50, pattern ^[a-zA-Z0-9_]+$) */
    username: string;
    /** Unique, ignoring case (maxLength 254, pattern ^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]$) */
    email: string;
    /** With at least one digit and one uppercase letter, of any script. A deployment can refuse the most used ones (minLength 8, maxLength 1024) */
    password: string;
    /** In years (minimum 0, maximum 150) */
    age?: number | null;
    /** An address that starts with http:// or https:// (maxLength 2048, pattern ^https?:\/\/[\s\S]*$) */
    website?: string | null;
  };
  UserResponse: {
    /** False for an error */
    success: boolean;
    /** The user; null in an error */
    data: Schemas["User"] | null;
    /** The error message; null for a success */
    error: string | null;
  };
  UserSearch: {
    /** A user matches if it equals every field given */
    filters: Schemas["UserSearchFilters"];
    /** A field name; a leading minus sorts in descending order */
    sort?: "id" | "-id" | "name" | "-name" | "email" | "-email" | "age" | "-age" | null;
    /** The page number (minimum 1, default 1) */
    page?: number | null;
    /** The number of records on a full page (minimum 1, maximum 100, default 10) */
    size?: number | null;
  };
  UserSearchFilters: {
    /** Only the user with this id */
    id?: number | null;
    /** Only users with exactly this name */
    name?: string | null;
    /** Only users with exactly this e-mail */
    email?: string | null;
    /** Only users of this age */
    age?: number | null;
  };
  UsersMetadata: {
    /** The number of users in this response (minimum 0) */
    total: number;
  };
  UsersV1: {
    /** The version of this envelope */
    version: "1.0";
    /** In id order by default, with the selected fields */
    users: Schemas["ListedUser"][];
  };
  UsersV2: {
    /** The version of this envelope */
    version: "2.0";
    /** In id order by default, with the selected fields */
    users: Schemas["ListedUser"][];
    /** About this list */
    metadata: Schemas["UsersMetadata"];
  };
  /** All errors of an invalid request */
  ValidationError: {
    /** The error code, for programs */
    error: "ValidationError";
    /** The error message, for people */
    message: "Request validation failed";
    /** One entry for each invalid field; after a hundred, one that says how many more there are (minItems 1) */
    details: Schemas["FieldError"][];
  };
}

export interface paths {
  "/users/": {
    parameters: {};
    get?: never;
    put?: never;
    /** `registerAccount`: Register an account with the role user */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: {
          /** Safe to retry for 24 hours with the same key; another request with the key is refused. Put a key that contains commas in double quotes (minLength 1, maxLength 255, pattern ^[ -~]+$) */
          "idempotency-key"?: string;
        };
      };
      requestBody: { content: {
        "application/json": Schemas["UserCreate"];
      } };
      responses: {
        201: { content: {
          "application/json": Schemas["RegisteredUser"];
        } };
        409: { content: {
          "application/json": Schemas["Conflict"];
        } };
        413: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        415: { content: {
          "application/json": Schemas["Detail"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/users/batch": {
    parameters: {};
    get?: never;
    put?: never;
    /** `registerAccounts`: Register several accounts, all of them or none */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: {
          /** Safe to retry for 24 hours with the same key; another request with the key is refused. Put a key that contains commas in double quotes (minLength 1, maxLength 255, pattern ^[ -~]+$) */
          "idempotency-key"?: string;
        };
      };
      requestBody: { content: {
        /** (minItems 1, maxItems 25) */
        "application/json": Schemas["UserCreate"][];
      } };
      responses: {
        201: { content: {
          "application/json": Schemas["RegisteredUsers"];
        } };
        409: { content: {
          "application/json": Schemas["Conflict"];
        } };
        413: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        415: { content: {
          "application/json": Schemas["Detail"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/users/me": {
    parameters: {};
    /** `getOwnAccount`: Get your account */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "application/json": Schemas["Account"];
        } };
        401: { content: {
          "application/json": Schemas["Detail"];
        } };
        404: { content: {
          "application/json": Schemas["Detail"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/admin/users": {
    parameters: {};
    /** `listAccounts`: List all accounts */
    get: {
      parameters: {
        path?: never;
        query?: {
          /** The maximum number of records; by default as many as fit into a response (minimum 1, maximum 1000) */
          limit?: number;
          /** Where to continue: from the previous response's `Link` header */
          cursor?: string;
        };
        header?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "application/json": Schemas["Account"][];
        } };
        401: { content: {
          "application/json": Schemas["Detail"];
        } };
        403: { content: {
          "application/json": Schemas["Detail"];
        } };
        404: { content: {
          "application/json": Schemas["Detail"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayErrorOrDetail"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/auth/login": {
    parameters: {};
    get?: never;
    put?: never;
    /** `logIn`: Log in with username and password */
    post: {
      parameters: {
        path?: never;
        query?: {
          /** Case-sensitive. Prefer the body: query strings end up in logs */
          username?: string;
          /** Compared in the Unicode form NFKC. Prefer the body: query strings end up in logs */
          password?: string;
        };
        header?: never;
      };
      requestBody?: { content: {
        "application/json": Schemas["LogInRequest"];
        "application/x-www-form-urlencoded": Schemas["LogInRequest"];
      } };
      responses: {
        200: { content: {
          "application/json": Schemas["Token"];
        } };
        401: { content: {
          "application/json": Schemas["Detail"];
        } };
        413: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        415: { content: {
          "application/json": Schemas["Detail"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["DetailOrGatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/users/me/password": {
    parameters: {};
    get?: never;
    /** `changeOwnPassword`: Change your password */
    put: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
      };
      requestBody: { content: {
        "application/json": Schemas["PasswordChange"];
      } };
      responses: {
        200: { content: {
          "application/json": Schemas["Token"];
        } };
        401: { content: {
          "application/json": Schemas["Detail"];
        } };
        403: { content: {
          "application/json": Schemas["Detail"];
        } };
        404: { content: {
          "application/json": Schemas["Detail"];
        } };
        413: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        415: { content: {
          "application/json": Schemas["Detail"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["DetailOrGatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/users/me/deletion": {
    parameters: {};
    get?: never;
    put?: never;
    /** `deleteOwnAccount`: Delete your account */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
      };
      requestBody: { content: {
        "application/json": Schemas["OwnPassword"];
      } };
      responses: {
        204: { content?: never };
        401: { content: {
          "application/json": Schemas["Detail"];
        } };
        403: { content: {
          "application/json": Schemas["Detail"];
        } };
        404: { content: {
          "application/json": Schemas["Detail"];
        } };
        413: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        415: { content: {
          "application/json": Schemas["Detail"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["DetailOrGatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/products": {
    parameters: {};
    /** `listProducts`: List products: a page if page or size is given, otherwise the catalog */
    get: {
      parameters: {
        path?: never;
        query?: {
          /** The maximum number of records; by default as many as fit into a response (minimum 1, maximum 1000) */
          limit?: number;
          /** Where to continue: from the previous response's `Link` header */
          cursor?: string;
          /** 1 by default if `size` is given */
          page?: number;
          /** 10 by default if `page` is given */
          size?: number;
          /** Only products of exactly this category */
          category?: string;
          /** The lowest price; 0 means no bound */
          min_price?: number;
          /** The highest price; 0 means no bound */
          max_price?: number;
          /** Only products in stock; true by default, except on a page */
          in_stock?: boolean;
        };
        header?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "application/json": Schemas["ListProductsResult"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayErrorOrDetail"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    put?: never;
    /** `createProduct`: Create a product */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: {
          /** Safe to retry for 24 hours with the same key; another request with the key is refused. Put a key that contains commas in double quotes (minLength 1, maxLength 255, pattern ^[ -~]+$) */
          "idempotency-key"?: string;
        };
      };
      requestBody: { content: {
        "application/json": Schemas["CreateProductRequest"];
      } };
      responses: {
        201: { content: {
          "application/json": Schemas["Product"];
        } };
        401: { content: {
          "application/json": Schemas["Detail"];
        } };
        403: { content: {
          "application/json": Schemas["Detail"];
        } };
        404: { content: {
          "application/json": Schemas["Detail"];
        } };
        413: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        415: { content: {
          "application/json": Schemas["Detail"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/products/{product_id}": {
    parameters: {};
    /** `getProduct`: Get a product */
    get: {
      parameters: {
        path: {
          /** The product's id */
          product_id: number;
        };
        query?: never;
        header?: {
          /** Entity tags: 304 if the record still has one of them */
          "if-none-match"?: string;
        };
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "application/json": Schemas["Product"];
        } };
        304: { content?: never };
        404: { content: {
          "application/json": Schemas["Detail"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    /** `replaceProduct`: Replace a product */
    put: {
      parameters: {
        path: {
          /** The product's id */
          product_id: number;
        };
        query?: never;
        header?: {
          /** Entity tags: 412 unless the record still has one of them */
          "if-match"?: string;
        };
      };
      requestBody: { content: {
        "application/json": Schemas["CreateProductRequest"];
      } };
      responses: {
        200: { content: {
          "application/json": Schemas["Product"];
        } };
        401: { content: {
          "application/json": Schemas["Detail"];
        } };
        403: { content: {
          "application/json": Schemas["Detail"];
        } };
        404: { content: {
          "application/json": Schemas["Detail"];
        } };
        412: { content: {
          "application/json": Schemas["Detail"];
        } };
        413: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        415: { content: {
          "application/json": Schemas["Detail"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    post?: never;
    /** `deleteProduct`: Delete a product */
    delete: {
      parameters: {
        path: {
          /** The product's id */
          product_id: number;
        };
        query?: never;
        header?: {
          /** Entity tags: 412 unless the record still has one of them */
          "if-match"?: string;
        };
      };
      requestBody?: never;
      responses: {
        204: { content?: never };
        401: { content: {
          "application/json": Schemas["Detail"];
        } };
        403: { content: {
          "application/json": Schemas["Detail"];
        } };
        404: { content: {
          "application/json": Schemas["Detail"];
        } };
        412: { content: {
          "application/json": Schemas["Detail"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    options?: never;
    head?: never;
    /** `updateProduct`: Change a product; absent and null fields keep their values */
    patch: {
      parameters: {
        path: {
          /** The product's id */
          product_id: number;
        };
        query?: never;
        header?: {
          /** Entity tags: 412 unless the record still has one of them */
          "if-match"?: string;
        };
      };
      requestBody: { content: {
        "application/json": Schemas["PatchProductRequest"];
      } };
      responses: {
        200: { content: {
          "application/json": Schemas["Product"];
        } };
        401: { content: {
          "application/json": Schemas["Detail"];
        } };
        403: { content: {
          "application/json": Schemas["Detail"];
        } };
        404: { content: {
          "application/json": Schemas["Detail"];
        } };
        412: { content: {
          "application/json": Schemas["Detail"];
        } };
        413: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        415: { content: {
          "application/json": Schemas["Detail"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    trace?: never;
  };
  "/orders": {
    parameters: {};
    /** `listOrders`: List orders: all, or those of a user or with a status */
    get: {
      parameters: {
        path?: never;
        query?: {
          /** The maximum number of records; by default as many as fit into a response (minimum 1, maximum 1000) */
          limit?: number;
          /** Where to continue: from the previous response's `Link` header */
          cursor?: string;
          /** Only orders of this user */
          user_id?: number;
          /** Only orders with this status */
          status?: Schemas["OrderStatus"];
        };
        header?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "application/json": Schemas["Order"][];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayErrorOrDetail"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    put?: never;
    /** `placeOrder`: Place an order: deduct the stock of every product in the cart, or of none */
    post: {
      parameters: {
        path?: never;
        query?: {
          /** The id of the user who orders, which is not checked (default 1) */
          user_id?: number;
        };
        header?: {
          /** Safe to retry for 24 hours with the same key; another request with the key is refused. Put a key that contains commas in double quotes (minLength 1, maxLength 255, pattern ^[ -~]+$) */
          "idempotency-key"?: string;
        };
      };
      requestBody: { content: {
        "application/json": Schemas["Cart"];
      } };
      responses: {
        201: { content: {
          "application/json": Schemas["Order"];
        } };
        400: { content: {
          "application/json": Schemas["Detail"];
        } };
        404: { content: {
          "application/json": Schemas["Detail"];
        } };
        413: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        415: { content: {
          "application/json": Schemas["Detail"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/orders/{order_id}": {
    parameters: {};
    /** `getOrder`: Get an order */
    get: {
      parameters: {
        path: {
          /** The order's id */
          order_id: number;
        };
        query?: never;
        header?: {
          /** Entity tags: 304 if the record still has one of them */
          "if-none-match"?: string;
        };
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "application/json": Schemas["Order"];
        } };
        304: { content?: never };
        404: { content: {
          "application/json": Schemas["Detail"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/orders/{order_id}/status": {
    parameters: {};
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /** `changeOrderStatus`: Change the status of an order */
    patch: {
      parameters: {
        path: {
          /** The order's id */
          order_id: number;
        };
        query: {
          /** The new status */
          status: Schemas["OrderStatus"];
        };
        header?: {
          /** Entity tags: 412 unless the record still has one of them */
          "if-match"?: string;
        };
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "application/json": Schemas["Order"];
        } };
        400: { content: {
          "application/json": Schemas["Detail"];
        } };
        404: { content: {
          "application/json": Schemas["Detail"];
        } };
        412: { content: {
          "application/json": Schemas["Detail"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    trace?: never;
  };
  "/todos": {
    parameters: {};
    /** `listTodos`: List todos, optionally paginated */
    get: {
      parameters: {
        path?: never;
        query?: {
          /** The maximum number of records; by default as many as fit into a response (minimum 1, maximum 1000) */
          limit?: number;
          /** Where to continue: from the previous response's `Link` header */
          cursor?: string;
        };
        header?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "application/json": Schemas["Todo"][];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayErrorOrErrorMessage"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
      };
    };
    put?: never;
    /** `createTodo`: Create a todo */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: {
          /** Safe to retry for 24 hours with the same key; another request with the key is refused. Put a key that contains commas in double quotes (minLength 1, maxLength 255, pattern ^[ -~]+$) */
          "idempotency-key"?: string;
        };
      };
      requestBody: { content: {
        "application/json": Schemas["CreateTodoRequest"];
      } };
      responses: {
        201: { content: {
          "application/json": Schemas["Todo"];
        } };
        413: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        415: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/todos/{id}": {
    parameters: {};
    /** `getTodo`: Get a todo */
    get: {
      parameters: {
        path: {
          /** The todo's id */
          id: number;
        };
        query?: never;
        header?: {
          /** Entity tags: 304 if the record still has one of them */
          "if-none-match"?: string;
        };
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "application/json": Schemas["Todo"];
        } };
        304: { content?: never };
        404: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
      };
    };
    /** `updateTodo`: Change a todo; absent and null fields keep their values */
    put: {
      parameters: {
        path: {
          /** The todo's id */
          id: number;
        };
        query?: never;
        header?: {
          /** Entity tags: 412 unless the record still has one of them */
          "if-match"?: string;
        };
      };
      requestBody: { content: {
        "application/json": Schemas["UpdateTodoRequest"];
      } };
      responses: {
        200: { content: {
          "application/json": Schemas["Todo"];
        } };
        404: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
        412: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
        413: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        415: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
      };
    };
    post?: never;
    /** `deleteTodo`: Delete a todo */
    delete: {
      parameters: {
        path: {
          /** The todo's id */
          id: number;
        };
        query?: never;
        header?: {
          /** Entity tags: 412 unless the record still has one of them */
          "if-match"?: string;
        };
      };
      requestBody?: never;
      responses: {
        204: { content?: never };
        404: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
        412: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/users": {
    parameters: {};
    /** `listUsers`: List users, with filters, sorting, pages and versions */
    get: {
      parameters: {
        path?: never;
        query?: {
          /** Only users whose name contains it, ignoring case */
          name?: string;
          /** Only users with the e-mail of an account of this role */
          role?: string;
          /** `name` or `age`; any other value leaves the order by id */
          sort?: string;
          /** Applies only with `sort` (default asc) */
          order?: "asc" | "desc";
          /** 1 by default if `limit` is given (minimum 1) */
          page?: number;
          /** 10 by default if `page` is given (minimum 1, maximum 100) */
          limit?: number;
          /** Where to continue: from the previous response's `Link` header */
          cursor?: string;
          /** The fields to return; all by default */
          fields?: ("id" | "name" | "email" | "age")[];
        };
        header?: {
          /** The version of the envelope. Any other value is a 400. `api_version` counts as well */
          "api-version"?: "1.0" | "2.0";
        };
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "application/json": Schemas["ListUsersResult"];
        } };
        400: { content: {
          "application/json": Schemas["DetailOrErrorMessage"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayErrorOrErrorMessage"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
      };
    };
    put?: never;
    /** `createUser`: Create a user */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: {
          /** Safe to retry for 24 hours with the same key; another request with the key is refused. Put a key that contains commas in double quotes (minLength 1, maxLength 255, pattern ^[ -~]+$) */
          "idempotency-key"?: string;
        };
      };
      requestBody: { content: {
        "application/json": Schemas["CreateUserRequest"];
      } };
      responses: {
        201: { content: {
          "application/json": Schemas["User"];
        } };
        400: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
        413: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        415: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/users/search": {
    parameters: {};
    /** `findUsers`: Find users whose name or e-mail contains a text */
    get: {
      parameters: {
        path?: never;
        query: {
          /** The maximum number of records; by default as many as fit into a response (minimum 1, maximum 1000) */
          limit?: number;
          /** Where to continue: from the previous response's `Link` header */
          cursor?: string;
          /** The text to find in name or e-mail, ignoring case (minLength 1) */
          q: string;
        };
        header?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "application/json": Schemas["User"][];
        } };
        400: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayErrorOrErrorMessage"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
      };
    };
    put?: never;
    /** `searchUsers`: Find users by the values of their fields */
    post: {
      parameters: {
        path?: never;
        query?: {
          /** Overrides the page in the body (minimum 1) */
          page?: number;
          /** Overrides the size in the body (minimum 1, maximum 100) */
          size?: number;
        };
        header?: never;
      };
      requestBody: { content: {
        "application/json": Schemas["UserSearch"];
      } };
      responses: {
        200: { content: {
          "application/json": Schemas["User"][];
        } };
        400: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
        413: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        415: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayErrorOrErrorMessage"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/users/{id}": {
    parameters: {};
    /** `getUser`: Get a user in an envelope */
    get: {
      parameters: {
        path: {
          /** The user's id */
          id: number;
        };
        query?: never;
        header?: {
          /** Entity tags: 304 if the record still has one of them */
          "if-none-match"?: string;
        };
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "application/json": Schemas["UserResponse"];
        } };
        304: { content?: never };
        404: { content: {
          "application/json": Schemas["EnvelopeError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
      };
    };
    /** `replaceUser`: Replace a user */
    put: {
      parameters: {
        path: {
          /** The user's id */
          id: number;
        };
        query?: never;
        header?: {
          /** Entity tags: 412 unless the record still has one of them */
          "if-match"?: string;
        };
      };
      requestBody: { content: {
        "application/json": Schemas["CreateUserRequest"];
      } };
      responses: {
        200: { content: {
          "application/json": Schemas["User"];
        } };
        400: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
        404: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
        412: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
        413: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        415: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
      };
    };
    post?: never;
    /** `deleteUser`: Delete a user */
    delete: {
      parameters: {
        path: {
          /** The user's id */
          id: number;
        };
        query?: never;
        header?: {
          /** Entity tags: 412 unless the record still has one of them */
          "if-match"?: string;
        };
      };
      requestBody?: never;
      responses: {
        204: { content?: never };
        404: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
        412: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
      };
    };
    options?: never;
    head?: never;
    /** `updateUser`: Change a user; absent and null fields keep their values */
    patch: {
      parameters: {
        path: {
          /** The user's id */
          id: number;
        };
        query?: never;
        header?: {
          /** Entity tags: 412 unless the record still has one of them */
          "if-match"?: string;
        };
      };
      requestBody: { content: {
        "application/json": Schemas["PatchUserRequest"];
      } };
      responses: {
        200: { content: {
          "application/json": Schemas["User"];
        } };
        400: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
        404: { content: {
          /** (maxLength 0) */
          "text/plain": string;
        } };
        412: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
        413: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        415: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
      };
    };
    trace?: never;
  };
  "/posts": {
    parameters: {};
    /** `listPosts`: List a page of posts, filtered and sorted */
    get: {
      parameters: {
        path?: never;
        query?: {
          /** Only posts with this status */
          status?: Schemas["PostStatus"];
          /** Only posts with this tag */
          tag?: string;
          /** Only posts whose title contains it, ignoring case */
          search?: string;
          /** The field to sort by (default created_at) */
          sort_by?: "created_at" | "updated_at" | "view_count";
          /** The sort direction (default desc) */
          order?: "asc" | "desc";
          /** The page number; 1 by default (minimum 1) */
          page?: number;
          /** The number of posts on a page (minimum 1, maximum 100, default 10) */
          limit?: number;
          /** Where to continue: from the previous response's `Link` header */
          cursor?: string;
        };
        header?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "application/json": Schemas["Post"][];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayErrorOrDetail"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    put?: never;
    /** `createPost`: Create a post */
    post: {
      parameters: {
        path?: never;
        query?: {
          /** The id of the author; the user record need not exist (default 1) */
          author_id?: number;
        };
        header?: {
          /** Safe to retry for 24 hours with the same key; another request with the key is refused. Put a key that contains commas in double quotes (minLength 1, maxLength 255, pattern ^[ -~]+$) */
          "idempotency-key"?: string;
        };
      };
      requestBody: { content: {
        "application/json": Schemas["PostCreate"];
      } };
      responses: {
        201: { content: {
          "application/json": Schemas["Post"];
        } };
        413: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        415: { content: {
          "application/json": Schemas["Detail"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayErrorOrDetail"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/posts/{post_id}": {
    parameters: {};
    /** `getPost`: Get a post, which counts a view */
    get: {
      parameters: {
        path: {
          /** The post's id (minimum 1) */
          post_id: number;
        };
        query?: never;
        header?: {
          /** Entity tags: 304 if the record still has one of them */
          "if-none-match"?: string;
        };
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "application/json": Schemas["Post"];
        } };
        304: { content?: never };
        404: { content: {
          "application/json": Schemas["Detail"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayErrorOrDetail"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    /** `replacePost`: Replace title, content, status and tags of a post */
    put: {
      parameters: {
        path: {
          /** The post's id (minimum 1) */
          post_id: number;
        };
        query?: never;
        header?: {
          /** Entity tags: 412 unless the record still has one of them */
          "if-match"?: string;
        };
      };
      requestBody: { content: {
        "application/json": Schemas["PostCreate"];
      } };
      responses: {
        200: { content: {
          "application/json": Schemas["Post"];
        } };
        404: { content: {
          "application/json": Schemas["Detail"];
        } };
        412: { content: {
          "application/json": Schemas["Detail"];
        } };
        413: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        415: { content: {
          "application/json": Schemas["Detail"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayErrorOrDetail"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    post?: never;
    /** `deletePost`: Delete a post */
    delete: {
      parameters: {
        path: {
          /** The post's id (minimum 1) */
          post_id: number;
        };
        query?: never;
        header?: {
          /** Entity tags: 412 unless the record still has one of them */
          "if-match"?: string;
        };
      };
      requestBody?: never;
      responses: {
        204: { content?: never };
        404: { content: {
          "application/json": Schemas["Detail"];
        } };
        412: { content: {
          "application/json": Schemas["Detail"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayErrorOrDetail"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    options?: never;
    head?: never;
    /** `updatePost`: Change a post; absent and null fields keep their values */
    patch: {
      parameters: {
        path: {
          /** The post's id (minimum 1) */
          post_id: number;
        };
        query?: never;
        header?: {
          /** Entity tags: 412 unless the record still has one of them */
          "if-match"?: string;
        };
      };
      requestBody: { content: {
        "application/json": Schemas["PostUpdate"];
      } };
      responses: {
        200: { content: {
          "application/json": Schemas["Post"];
        } };
        404: { content: {
          "application/json": Schemas["Detail"];
        } };
        412: { content: {
          "application/json": Schemas["Detail"];
        } };
        413: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        415: { content: {
          "application/json": Schemas["Detail"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayErrorOrDetail"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    trace?: never;
  };
  "/posts/stats/summary": {
    parameters: {};
    /** `summarizePosts`: Count posts and views */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "application/json": Schemas["PostStatistics"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayErrorOrDetail"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/posts/search": {
    parameters: {};
    /** `searchPosts`: Find posts by a text in their title or content, newest first */
    get: {
      parameters: {
        path?: never;
        query: {
          /** The text to find, ignoring case (minLength 1) */
          q: string;
          /** The fields to search; `title` and `content` by default */
          fields?: ("title" | "content")[];
          /** The maximum number of records; by default as many as fit into a response (minimum 1, maximum 1000) */
          limit?: number;
          /** Where to continue: from the previous response's `Link` header */
          cursor?: string;
        };
        header?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "application/json": Schemas["Post"][];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayErrorOrDetail"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/users/{id}/posts": {
    parameters: {};
    /** `listUserPosts`: List a user's posts, newest first */
    get: {
      parameters: {
        path: {
          /** The id of the user, who is the author */
          id: number;
        };
        query?: {
          /** The maximum number of records; by default as many as fit into a response (minimum 1, maximum 1000) */
          limit?: number;
          /** Where to continue: from the previous response's `Link` header */
          cursor?: string;
        };
        header?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "application/json": Schemas["Post"][];
        } };
        404: { content: {
          "application/json": Schemas["Detail"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayErrorOrDetail"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    put?: never;
    /** `createUserPost`: Create a post for a user */
    post: {
      parameters: {
        path: {
          /** The id of the user, who is the author */
          id: number;
        };
        query?: never;
        header?: {
          /** Safe to retry for 24 hours with the same key; another request with the key is refused. Put a key that contains commas in double quotes (minLength 1, maxLength 255, pattern ^[ -~]+$) */
          "idempotency-key"?: string;
        };
      };
      requestBody: { content: {
        "application/json": Schemas["PostCreate"];
      } };
      responses: {
        201: { content: {
          "application/json": Schemas["Post"];
        } };
        404: { content: {
          "application/json": Schemas["Detail"];
        } };
        413: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        415: { content: {
          "application/json": Schemas["Detail"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayErrorOrDetail"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/users/{id}/posts/{post_id}": {
    parameters: {};
    /** `getUserPost`: Get a user's post, which counts a view */
    get: {
      parameters: {
        path: {
          /** The id of the user, who is the author */
          id: number;
          /** The post's id (minimum 1) */
          post_id: number;
        };
        query?: never;
        header?: {
          /** Entity tags: 304 if the record still has one of them */
          "if-none-match"?: string;
        };
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "application/json": Schemas["Post"];
        } };
        304: { content?: never };
        404: { content: {
          "application/json": Schemas["Detail"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayErrorOrDetail"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    put?: never;
    post?: never;
    /** `deleteUserPost`: Delete a user's post */
    delete: {
      parameters: {
        path: {
          /** The id of the user, who is the author */
          id: number;
          /** The post's id (minimum 1) */
          post_id: number;
        };
        query?: never;
        header?: {
          /** Entity tags: 412 unless the record still has one of them */
          "if-match"?: string;
        };
      };
      requestBody?: never;
      responses: {
        204: { content?: never };
        404: { content: {
          "application/json": Schemas["Detail"];
        } };
        412: { content: {
          "application/json": Schemas["Detail"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayErrorOrDetail"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/items/": {
    parameters: {};
    get?: never;
    put?: never;
    /** `createItem`: Store any JSON object, and return it as it was sent */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: {
          /** Safe to retry for 24 hours with the same key; another request with the key is refused. Put a key that contains commas in double quotes (minLength 1, maxLength 255, pattern ^[ -~]+$) */
          "idempotency-key"?: string;
        };
      };
      requestBody: { content: {
        "application/json": Schemas["JsonObject"];
      } };
      responses: {
        201: { content: {
          "application/json": Schemas["JsonObject"];
        } };
        413: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        415: { content: {
          "application/json": Schemas["StructuredError"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["StructuredError"];
        } };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/items": {
    parameters: {};
    /** `listItems`: List a page of items */
    get: {
      parameters: {
        path?: never;
        query?: {
          /** The page number (minimum 1, default 1) */
          page?: number;
          /** The number of items on a page (minimum 1, maximum 100, default 10) */
          size?: number;
        };
        header?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "application/json": Schemas["PaginatedItems"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayErrorOrStructuredError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["StructuredError"];
        } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/items/{item_id}": {
    parameters: {};
    /** `getItem`: Get a stored object, with its id as item_id */
    get: {
      parameters: {
        path: {
          /** The item's id */
          item_id: number;
        };
        query?: never;
        header?: {
          /** Entity tags: 304 if the record still has one of them */
          "if-none-match"?: string;
        };
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "application/json": Schemas["StoredObject"];
        } };
        304: { content?: never };
        404: { content: {
          "application/json": Schemas["StructuredError"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["StructuredError"];
        } };
      };
    };
    put?: never;
    post?: never;
    /** `deleteItem`: Delete an item */
    delete: {
      parameters: {
        path: {
          /** The item's id */
          item_id: number;
        };
        query?: never;
        header?: {
          /** Entity tags: 412 unless the record still has one of them */
          "if-match"?: string;
        };
      };
      requestBody?: never;
      responses: {
        204: { content?: never };
        404: { content: {
          "application/json": Schemas["StructuredError"];
        } };
        412: { content: {
          "application/json": Schemas["StructuredError"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["StructuredError"];
        } };
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/protected": {
    parameters: {};
    /** `checkKey`: Check that the key is valid */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "text/plain": string;
        } };
        401: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/users": {
    parameters: {};
    /** `listUsersV1`: List users, version 1.0 */
    get: {
      parameters: {
        path?: never;
        query?: {
          /** The maximum number of records; by default as many as fit into a response (minimum 1, maximum 1000) */
          limit?: number;
          /** Where to continue: from the previous response's `Link` header */
          cursor?: string;
        };
        header?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "application/json": Schemas["UsersV1"];
        } };
        401: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayErrorOrErrorMessage"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/users": {
    parameters: {};
    /** `listUsersV2`: List users with their total, version 2.0 */
    get: {
      parameters: {
        path?: never;
        query?: {
          /** The maximum number of records; by default as many as fit into a response (minimum 1, maximum 1000) */
          limit?: number;
          /** Where to continue: from the previous response's `Link` header */
          cursor?: string;
        };
        header?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "application/json": Schemas["UsersV2"];
        } };
        401: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayErrorOrErrorMessage"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/health": {
    parameters: {};
    /** `checkHealth`: Check that the service runs, without a database call */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "application/json": Schemas["Health"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/health/ready": {
    parameters: {};
    /** `checkReadiness`: Check that the service can read its database and its signing secret */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "application/json": Schemas["Readiness"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/": {
    parameters: {};
    /** `openDocumentation`: Redirect to the documentation */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
      };
      requestBody?: never;
      responses: {
        302: { content?: never };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/openapi.json": {
    parameters: {};
    /** `getOpenApiDocument`: Get this document */
    get: {
      parameters: {
        path?: never;
        query?: {
          /** `objects` gets the document for programs that cannot read `oneOf` or `Link`. It requires `?lists=objects` in requests, which makes each list an object with `next`, the parameters of the next page. Deprecated parameters are left out */
          lists?: "objects";
        };
        header?: {
          /** `br` and `gzip` are supported */
          "accept-encoding"?: string;
          /** Entity tags: 304 if the record still has one of them */
          "if-none-match"?: string;
        };
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "application/json": {
            [name: string]: unknown;
          };
        } };
        304: { content?: never };
        308: { content?: never };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/llms.txt": {
    parameters: {};
    /** `getOverviewForPrograms`: Get a short overview for language models */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: {
          /** `br` and `gzip` are supported */
          "accept-encoding"?: string;
          /** Entity tags: 304 if the record still has one of them */
          "if-none-match"?: string;
        };
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "text/plain": string;
        } };
        304: { content?: never };
        308: { content?: never };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/docs": {
    parameters: {};
    /** `getDocumentation`: Show this page, on which every operation can be tried */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: {
          /** `br` and `gzip` are supported */
          "accept-encoding"?: string;
          /** Entity tags: 304 if the record still has one of them */
          "if-none-match"?: string;
        };
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "text/html": string;
        } };
        304: { content?: never };
        308: { content?: never };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/docs/assets/{file}": {
    parameters: {};
    /** `getDocumentationAsset`: Get a script, style or image of the page */
    get: {
      parameters: {
        path: {
          /** The file's name, as in the page */
          file: string;
        };
        query?: never;
        header?: {
          /** `br` and `gzip` are supported */
          "accept-encoding"?: string;
        };
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "text/javascript": string;
          "text/css": string;
          "image/svg+xml": string;
        } };
        404: { content: {
          "application/json": Schemas["Detail"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/error": {
    parameters: {};
    /** `raiseError`: Raise an invalid-argument error */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: never;
      };
      requestBody?: never;
      responses: {
        400: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["ErrorMessage"];
        } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/errors/{status}": {
    parameters: {};
    /** `showStatus`: Respond with the status in the path: 400, 401, 403, 404 or 500 */
    get: {
      parameters: {
        path: {
          /** The status to respond with */
          status: string;
        };
        query?: never;
        header?: never;
      };
      requestBody?: never;
      responses: {
        400: { content: {
          "application/json": Schemas["Detail"];
        } };
        401: { content: {
          "application/json": Schemas["Detail"];
        } };
        403: { content: {
          "application/json": Schemas["Detail"];
        } };
        404: { content: {
          "application/json": Schemas["Detail"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        431: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["DetailOrInternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Detail"];
        } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}

