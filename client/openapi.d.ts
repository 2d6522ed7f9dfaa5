// Generated from docs/openapi.json: npm test -- -u

export interface Schemas {
  Account: {
    username: string;
    email: string;
    role: string;
  };
  Cart: Schemas["CartItem"][];
  CartItem: {
    product_id: number;
    quantity: number;
  };
  /** A duplicate value */
  Conflict: {
    error: "Conflict";
    message: string;
    /** The field with the duplicate value */
    field: string;
  };
  CreateProductRequest: {
    name: string;
    description: string;
    price: number;
    stock: number;
    category: string;
  };
  CreateTodoRequest: {
    title: string;
  };
  CreateUserRequest: {
    name: string;
    email: string;
    age: number;
  };
  /** An error in the format `detail` */
  Detail: {
    detail: string;
  };
  /** An error in the envelope of `GET /users/{id}` */
  EnvelopeError: {
    success: false;
    data: null;
    error: string;
  };
  /** An error in the format `error` */
  Error: {
    error: string;
  };
  /** An error from the gateway */
  GatewayError: {
    message: string;
  };
  Health: {
    status: "ok";
  };
  /** An unexpected error; the log has its cause under the request id */
  InternalServerError: {
    error: "InternalServerError";
    message: "An unexpected error occurred";
    /** The request's URL */
    path: string;
  };
  Item: {
    id: number;
    name: string;
  };
  JsonObject: {
    [name: string]: unknown;
  };
  LogInRequest: {
    /** Case-sensitive */
    username: string;
    /** Compared in the Unicode form NFKC */
    password: string;
  };
  Order: {
    id: number;
    user_id: number;
    items: Schemas["CartItem"][];
    total: number;
    status: Schemas["OrderStatus"];
    created_at: string;
    updated_at: string;
  };
  OrderStatus: "pending" | "paid" | "shipped" | "delivered" | "cancelled";
  PaginatedItems: {
    items: Schemas["Item"][];
    total: number;
    page: number;
    size: number;
    pages: number;
  };
  PatchProductRequest: {
    name?: string | null;
    description?: string | null;
    price?: number | null;
    stock?: number | null;
    category?: string | null;
  };
  PatchUserRequest: {
    name?: string | null;
    email?: string | null;
    age?: number | null;
  };
  Post: {
    id: number;
    author_id: number;
    title: string;
    content: string;
    status: Schemas["PostStatus"];
    tags: string[];
    created_at: string;
    updated_at: string;
    view_count: number;
  };
  PostCreate: {
    title: string;
    content: string;
    status?: Schemas["PostStatus"] | null;
    tags?: string[] | null;
  };
  PostStatistics: {
    total_posts: number;
    by_status: { [name in Schemas["PostStatus"]]?: number };
    total_views: number;
    average_views: number;
  };
  PostStatus: "draft" | "published" | "archived";
  PostUpdate: {
    title?: string | null;
    content?: string | null;
    status?: Schemas["PostStatus"] | null;
    tags?: string[] | null;
  };
  Product: {
    id: number;
    name: string;
    description: string;
    price: number;
    stock: number;
    category: string;
  };
  ProductPage: {
    page: number;
    size: number;
    total: number;
    items: Schemas["Product"][];
  };
  Readiness: {
    status: "ready";
  };
  RegisteredUser: {
    username: string;
    email: string;
    age: number | null;
    website: string | null;
  };
  RegisteredUsers: {
    created: number;
    items: Schemas["RegisteredUser"][];
  };
  StoredObject: {
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
    id: number;
    title: string;
    completed: boolean;
  };
  Token: {
    access_token: string;
    token_type: "bearer";
  };
  UpdateTodoRequest: {
    title?: string | null;
    completed?: boolean | null;
  };
  User: {
    id: number;
    name: string;
    email: string;
    age: number;
  };
  UserCreate: {
    username: string;
    email: string;
    password: string;
    age?: number | null;
    website?: string | null;
  };
  UserResponse: {
    success: boolean;
    data: Schemas["User"] | null;
    error: string | null;
  };
  UserSearch: {
    /** A user matches if it equals every field given */
    filters: {
      id?: number | null;
      name?: string | null;
      email?: string | null;
      age?: number | null;
    };
    /** A field name; with a leading minus in descending order */
    sort?: "id" | "-id" | "name" | "-name" | "email" | "-email" | "age" | "-age" | null;
    page?: number | null;
    size?: number | null;
  };
  UsersV1: {
    version: "1.0";
    users: (Schemas["User"] | {
      id?: number;
      name?: string;
      email?: string;
      age?: number;
    })[];
  };
  UsersV2: {
    version: "2.0";
    users: (Schemas["User"] | {
      id?: number;
      name?: string;
      email?: string;
      age?: number;
    })[];
    metadata: {
      total: number;
    };
  };
  /** All errors of an invalid request */
  ValidationError: {
    error: "ValidationError";
    message: "Request validation failed";
    details: ({
      /** The path of the field: `body.title`, `query.page` */
      field: string;
      /** The error message, for people */
      message: string;
      /** The error type, for programs */
      type: "missing" | "invalid_type" | "invalid_value" | "invalid_format" | "too_small" | "too_big" | "too_deep" | "key_reused" | "json_invalid" | "utf8_invalid";
    })[];
  };
}

export interface paths {
  "/users/": {
    parameters: {};
    get?: never;
    put?: never;
    /** `registerAccount`: Register an account of the role user */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: {
          /** Safe to retry for 24 hours with the same key; another request with the key is refused */
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
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
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
          /** Safe to retry for 24 hours with the same key; another request with the key is refused */
          "idempotency-key"?: string;
        };
      };
      requestBody: { content: {
        "application/json": Schemas["UserCreate"][];
      } };
      responses: {
        201: { content: {
          "application/json": Schemas["RegisteredUsers"];
        } };
        409: { content: {
          "application/json": Schemas["Conflict"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
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
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["Detail"] | Schemas["GatewayError"];
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
    /** `getOwnAccount`: Get the account of the token */
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
          /** The maximum number of records; by default as many as fit into a response */
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
  "/products": {
    parameters: {};
    /** `listProducts`: List products: a page if page or size is given, otherwise the catalog */
    get: {
      parameters: {
        path?: never;
        query?: {
          /** The maximum number of records; by default as many as fit into a response */
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
          "application/json": Schemas["ProductPage"] | Schemas["Product"][];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
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
          /** Safe to retry for 24 hours with the same key; another request with the key is refused */
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
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
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
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
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
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
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
          /** The maximum number of records; by default as many as fit into a response */
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
          /** The user whose order it is; no such user record is required */
          user_id?: number;
        };
        header?: {
          /** Safe to retry for 24 hours with the same key; another request with the key is refused */
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
        409: { content: {
          "application/json": Schemas["Conflict"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
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
          /** The maximum number of records; by default as many as fit into a response */
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
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Error"];
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
          /** Safe to retry for 24 hours with the same key; another request with the key is refused */
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
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Error"];
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
          "application/json": Schemas["Error"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Error"];
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
          "application/json": Schemas["Error"];
        } };
        412: { content: {
          "application/json": Schemas["Error"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Error"];
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
          "application/json": Schemas["Error"];
        } };
        412: { content: {
          "application/json": Schemas["Error"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Error"];
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
    /** `listUsers`: List users: filtered, sorted, paginated, in the envelope of a version */
    get: {
      parameters: {
        path?: never;
        query?: {
          /** Only users whose name contains it, ignoring case */
          name?: string;
          /** Only users whose e-mail belongs to an account of this role */
          role?: string;
          /** `name` or `age`; any other value leaves the order by id */
          sort?: string;
          /** Applies only with `sort` */
          order?: "asc" | "desc";
          /** 1 by default if `limit` is given */
          page?: number;
          /** 10 by default if `page` is given */
          limit?: number;
          /** Where to continue: from the previous response's `Link` header */
          cursor?: string;
          /** The fields to return; all by default */
          fields?: ("id" | "name" | "email" | "age")[];
        };
        header?: {
          /** The version of the envelope. Any other value is a 400 */
          "api-version"?: "1.0" | "2.0";
        };
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "application/json": (Schemas["User"] | {
            id?: number;
            name?: string;
            email?: string;
            age?: number;
          })[] | Schemas["UsersV1"] | Schemas["UsersV2"];
        } };
        400: { content: {
          "application/json": Schemas["Detail"] | Schemas["Error"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Error"];
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
          /** Safe to retry for 24 hours with the same key; another request with the key is refused */
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
          "application/json": Schemas["Error"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Error"];
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
          /** The maximum number of records; by default as many as fit into a response */
          limit?: number;
          /** Where to continue: from the previous response's `Link` header */
          cursor?: string;
          /** The text to find in name or e-mail, ignoring case */
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
          "application/json": Schemas["Error"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Error"];
        } };
      };
    };
    put?: never;
    /** `searchUsers`: Find users by the values of their fields */
    post: {
      parameters: {
        path?: never;
        query?: {
          /** Overrides the page in the body */
          page?: number;
          /** Overrides the size in the body */
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
          "application/json": Schemas["Error"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Error"];
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
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Error"];
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
          "application/json": Schemas["Error"];
        } };
        404: { content: {
          "application/json": Schemas["Error"];
        } };
        412: { content: {
          "application/json": Schemas["Error"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Error"];
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
          "application/json": Schemas["Error"];
        } };
        412: { content: {
          "application/json": Schemas["Error"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Error"];
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
          "application/json": Schemas["Error"];
        } };
        404: { content?: never };
        412: { content: {
          "application/json": Schemas["Error"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Error"];
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
          /** The field to sort by */
          sort_by?: "created_at" | "updated_at" | "view_count";
          /** The sort direction */
          order?: "asc" | "desc";
          /** The page number */
          page?: number;
          /** The number of posts on a page */
          limit?: number;
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
          /** The author; no such user record is required */
          author_id?: number;
        };
        header?: {
          /** Safe to retry for 24 hours with the same key; another request with the key is refused */
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
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
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
          /** The post's id */
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
          /** The post's id */
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
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
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
          /** The post's id */
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
          /** The post's id */
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
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
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
          /** The text to find, ignoring case */
          q: string;
          /** The fields to search */
          fields?: ("title" | "content")[];
          /** The maximum number of records; by default as many as fit into a response */
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
          /** The maximum number of records; by default as many as fit into a response */
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
    /** `createUserPost`: Create a post of a user */
    post: {
      parameters: {
        path: {
          /** The id of the user, who is the author */
          id: number;
        };
        query?: never;
        header?: {
          /** Safe to retry for 24 hours with the same key; another request with the key is refused */
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
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
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
          /** The post's id */
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
          /** The post's id */
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
    /** `createItem`: Store any JSON object, which is echoed as it was sent */
    post: {
      parameters: {
        path?: never;
        query?: never;
        header?: {
          /** Safe to retry for 24 hours with the same key; another request with the key is refused */
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
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
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
          /** The page number */
          page?: number;
          /** The number of items on a page */
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
    /** `getItem`: Get a stored object with its id, which replaces a member named item_id */
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
    /** `checkKey`: Confirm in plain text that the key is valid */
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
          "application/json": Schemas["Error"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Error"];
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
          /** The maximum number of records; by default as many as fit into a response */
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
          "application/json": Schemas["Error"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Error"];
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
    /** `listUsersV2`: List users with their number, version 2.0 */
    get: {
      parameters: {
        path?: never;
        query?: {
          /** The maximum number of records; by default as many as fit into a response */
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
          "application/json": Schemas["Error"];
        } };
        422: { content: {
          "application/json": Schemas["ValidationError"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Error"];
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
    /** `checkReadiness`: Check that the service can read its database */
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
        query?: never;
        header?: {
          /** `br` and `gzip` are supported */
          "accept-encoding"?: string;
        };
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "application/json": {
            [name: string]: unknown;
          };
        } };
        429: { content: {
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
    /** `getDocumentation`: Show this document as a page on which every operation can be tried */
    get: {
      parameters: {
        path?: never;
        query?: never;
        header?: {
          /** `br` and `gzip` are supported */
          "accept-encoding"?: string;
        };
      };
      requestBody?: never;
      responses: {
        200: { content: {
          "text/html": string;
        } };
        429: { content: {
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
          "text/plain": string;
          "image/svg+xml": string;
        } };
        404: { content: {
          "application/json": Schemas["Detail"];
        } };
        429: { content: {
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
          "application/json": Schemas["Error"];
        } };
        429: { content: {
          "application/json": Schemas["GatewayError"];
        } };
        500: { content: {
          "application/json": Schemas["InternalServerError"];
        } };
        503: { content: {
          "application/json": Schemas["Error"];
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
        500: { content: {
          "application/json": Schemas["Detail"] | Schemas["InternalServerError"];
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

